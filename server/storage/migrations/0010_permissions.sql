ALTER TABLE `approvals` ADD `permission` text;--> statement-breakpoint
ALTER TABLE `approvals` ADD `uses` text;--> statement-breakpoint
-- Earlier versions let the called tool word the question. Whatever waits is refused, and the model may ask again.
UPDATE `approvals` SET `response` = '{"outcome":"cancelled"}', `settled_seq` = `requested_seq` WHERE `type` = 'permission' AND `response` IS NULL;
