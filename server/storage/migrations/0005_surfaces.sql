ALTER TABLE `approvals` ADD `surface` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `surface` text;