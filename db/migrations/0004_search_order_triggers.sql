DROP TRIGGER `applications_search_added`;
--> statement-breakpoint
DROP TRIGGER `applications_search_changed`;
--> statement-breakpoint
DROP VIEW `application_searchable`;
--> statement-breakpoint
-- What the admin's search looks through and sorts by. Two spaces before each field and one before each word let one and
-- two letters be found as beginnings, where the index knows only three in a row.
CREATE VIEW `application_searchable` AS
SELECT
	`id` AS `application_id`,
	'  ' || `first_name` || ' ' || `last_name` || '  ' || `last_name` || '  ' || `email` || '  ' || `number` || '  ' || `phone`
		|| '  ' || replace(replace(replace(replace(`phone`, ' ', ''), '-', ''), '(', ''), ')', '') AS `content`,
	`status`, `created_at`, `first_name`, `total_cents`
FROM `applications`
WHERE `deleted_at` IS NULL AND `submitted_at` IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `applications_search_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `application_search` (`application_id`, `content`, `status`, `created_at`, `first_name`, `total_cents`)
	SELECT * FROM `application_searchable` WHERE `application_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_search_changed`
AFTER UPDATE OF `first_name`, `last_name`, `email`, `number`, `phone`, `status`, `created_at`, `total_cents`,
	`submitted_at`, `deleted_at` ON `applications`
BEGIN
	DELETE FROM `application_search` WHERE `application_id` = old.`id`;
	INSERT INTO `application_search` (`application_id`, `content`, `status`, `created_at`, `first_name`, `total_cents`)
	SELECT * FROM `application_searchable` WHERE `application_id` = new.`id`;
END;
--> statement-breakpoint
UPDATE `application_search` SET (`created_at`, `first_name`, `total_cents`) = (
	SELECT `created_at`, `first_name`, `total_cents` FROM `applications` WHERE `id` = `application_id`
);
