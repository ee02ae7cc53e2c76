CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`requested_seq` integer NOT NULL,
	`settled_seq` integer,
	`type` text NOT NULL,
	`content` text NOT NULL,
	`options` text NOT NULL,
	`plan_id` text,
	`call_id` text NOT NULL,
	`at` text NOT NULL,
	`response` text,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `approvals_order` ON `approvals` (`project_id`,`requested_seq`);--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`file` text NOT NULL,
	`mime` text NOT NULL,
	`kind` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`width` integer,
	`height` integer,
	`at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_name` ON `assets` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `checkpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`seq` integer NOT NULL,
	`trigger` text NOT NULL,
	`commit_id` text NOT NULL,
	`tree_id` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `checkpoints_order` ON `checkpoints` (`project_id`,`seq`);--> statement-breakpoint
CREATE TABLE `events` (
	`project_id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`at` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`project_id`, `seq`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`status` integer,
	`content_type` text,
	`body` text,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`seq` integer NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`queued` integer NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_order` ON `messages` (`project_id`,`seq`);--> statement-breakpoint
CREATE TABLE `plans` (
	`project_id` text NOT NULL,
	`revision` integer NOT NULL,
	`id` text NOT NULL,
	`accepted` integer NOT NULL,
	`draft` text NOT NULL,
	PRIMARY KEY(`project_id`, `revision`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plans_id` ON `plans` (`id`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`prompt` text NOT NULL,
	`phase` text NOT NULL,
	`style` text,
	`aspect` text,
	`error` text,
	`thinking` text,
	`running` integer NOT NULL,
	`sandbox` text NOT NULL,
	`preview_url` text,
	`preview_label` text NOT NULL,
	`hints` text NOT NULL,
	`last_seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_preview_label` ON `projects` (`preview_label`);--> statement-breakpoint
CREATE INDEX `projects_created` ON `projects` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `projects_running` ON `projects` (`id`) WHERE running = 1;--> statement-breakpoint
CREATE TABLE `renders` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`status` text NOT NULL,
	`settings` text NOT NULL,
	`percent` real NOT NULL,
	`stage` text,
	`probe` text,
	`video_url` text,
	`thumbnail_url` text,
	`render_time_ms` integer,
	`error` text,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `renders_order` ON `renders` (`project_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `renders_status` ON `renders` (`status`);--> statement-breakpoint
CREATE TABLE `run_messages` (
	`run_id` text NOT NULL,
	`position` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`run_id`, `position`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text,
	`outcome` text,
	`steps` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_usd` real NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `runs_order` ON `runs` (`project_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`project_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`last_checkpoint_id` text,
	`last_activity_at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `todos` (
	`project_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`key` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	PRIMARY KEY(`project_id`, `position`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tool_calls` (
	`run_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`input` text NOT NULL,
	`status` text NOT NULL,
	`started_at` text NOT NULL,
	`duration_ms` integer,
	`summary` text,
	PRIMARY KEY(`run_id`, `id`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
