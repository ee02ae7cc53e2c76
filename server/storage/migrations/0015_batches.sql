CREATE TABLE `batch_rows` (
	`batch_id` text NOT NULL,
	`number` integer NOT NULL,
	`label` text NOT NULL,
	`parameters` text NOT NULL,
	`state` text NOT NULL,
	`render_id` text,
	`error` text,
	PRIMARY KEY(`batch_id`, `number`),
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `batch_rows_state` ON `batch_rows` (`batch_id`,`state`,`number`);--> statement-breakpoint
CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`request` text NOT NULL,
	`by` text NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `batches_order` ON `batches` (`project_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `batches_state` ON `batches` (`state`);--> statement-breakpoint
ALTER TABLE `renders` ADD `batch` text;