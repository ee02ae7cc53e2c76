CREATE TABLE `model_usage` (
	`project_id` text PRIMARY KEY NOT NULL,
	`input_tokens` integer NOT NULL,
	`cached_input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_usd` real NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- What was told before this table was there.
INSERT INTO `model_usage`
SELECT
	`project_id`,
	sum(json_extract(`body`, '$.inputTokens')),
	sum(coalesce(json_extract(`body`, '$.cachedInputTokens'), 0)),
	sum(json_extract(`body`, '$.outputTokens')),
	sum(json_extract(`body`, '$.costUsd'))
FROM `events` WHERE `type` = 'usage' GROUP BY `project_id`;
