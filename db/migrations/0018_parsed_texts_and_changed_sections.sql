CREATE TABLE `parsed_texts` (
	`key` text PRIMARY KEY NOT NULL,
	`blocks` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `content_versions` ADD `changed` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `content_versions` SET `changed` = coalesce((
	SELECT '["' || replace(json_extract(`detail`, '$.changed'), ', ', '","') || '"]' FROM `events`
	WHERE `subject_id` = CAST(`content_versions`.`id` AS text) AND `kind` = 'site.published'
		AND json_extract(`detail`, '$.changed') <> ''
	ORDER BY `events`.`id` DESC LIMIT 1
), '[]');
