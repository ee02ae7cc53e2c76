CREATE TABLE `schedule_deliveries` (
	`run_id` text NOT NULL,
	`row` integer NOT NULL,
	`render_id` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`file` text,
	`error` text,
	PRIMARY KEY(`run_id`, `row`),
	FOREIGN KEY (`run_id`) REFERENCES `schedule_runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `schedule_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`alive_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `schedule_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`schedule_id` text NOT NULL,
	`cause` text NOT NULL,
	`state` text NOT NULL,
	`due_at` text,
	`off` text,
	`started_at` text NOT NULL,
	`finished_at` text,
	`digest` text,
	`rows` text,
	`batch_id` text,
	`total` integer DEFAULT 0 NOT NULL,
	`made` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`error` text,
	`removed` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedule_runs_order` ON `schedule_runs` (`schedule_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `schedule_runs_open` ON `schedule_runs` (`state`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`cron` text NOT NULL,
	`time_zone` text NOT NULL,
	`source` text NOT NULL,
	`render` text NOT NULL,
	`keep` integer NOT NULL,
	`catch_up` integer NOT NULL,
	`delivery` text NOT NULL,
	`paused_by` text,
	`paused_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_run_at` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedules_next` ON `schedules` (`next_run_at`);--> statement-breakpoint
CREATE INDEX `schedules_project` ON `schedules` (`project_id`,`created_at`);