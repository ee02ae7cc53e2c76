ALTER TABLE `events` ADD `by` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `owner` text DEFAULT 'local' NOT NULL;