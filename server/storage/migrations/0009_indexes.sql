ALTER TABLE `runs` ADD `after_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Finished runs are not resumed, so only the others need it.
UPDATE `runs` SET `after_seq` = coalesce((SELECT max(`seq`) FROM `events` WHERE `events`.`project_id` = `runs`.`project_id` AND `events`.`at` < `runs`.`started_at`), 0) WHERE `finished_at` IS NULL;--> statement-breakpoint
CREATE INDEX `events_activity` ON `events` (`project_id`,`seq`) WHERE type IN ('run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage');--> statement-breakpoint
CREATE INDEX `events_plans` ON `events` (`project_id`,`seq`) WHERE type = 'plan.proposed';--> statement-breakpoint
CREATE INDEX `events_queued_renders` ON `events` (`project_id`,`seq`) WHERE type = 'render.queued';