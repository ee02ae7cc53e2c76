CREATE TABLE `plan_versions` (
	`kind` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `projects` ADD `chips` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `projects` SET `chips` = json_insert(`chips`, '$[#]', json_object('id', 'style', 'label', `style`, 'title', 'Style')) WHERE `style` IS NOT NULL;--> statement-breakpoint
UPDATE `projects` SET `chips` = json_insert(`chips`, '$[#]', json_object('id', 'aspect', 'label', `aspect`, 'title', 'Aspect ratio')) WHERE `aspect` IS NOT NULL;
