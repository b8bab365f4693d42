-- A change of an application leaves its row of the search in place: the ids rise in the order in which applications came
-- in, and the newest of very many are read from the full-text index without a look at the others.
DROP TRIGGER `applications_search_changed`;
--> statement-breakpoint
CREATE TRIGGER `applications_search_changed`
AFTER UPDATE OF `first_name`, `last_name`, `email`, `number`, `phone`, `status`, `created_at`, `total_cents`,
	`submitted_at`, `deleted_at` ON `applications`
BEGIN
	DELETE FROM `application_search`
	WHERE `application_id` = old.`id` AND (new.`deleted_at` IS NOT NULL OR new.`submitted_at` IS NULL);
	INSERT INTO `application_search` (`application_id`, `content`, `status`, `created_at`, `first_name`, `total_cents`)
	SELECT * FROM `application_searchable` WHERE `application_id` = new.`id`
	ON CONFLICT (`application_id`) DO UPDATE SET
		`content` = excluded.`content`, `status` = excluded.`status`, `created_at` = excluded.`created_at`,
		`first_name` = excluded.`first_name`, `total_cents` = excluded.`total_cents`;
END;
--> statement-breakpoint
DELETE FROM `application_search`;
--> statement-breakpoint
INSERT INTO `application_search` (`application_id`, `content`, `status`, `created_at`, `first_name`, `total_cents`)
SELECT * FROM `application_searchable` ORDER BY `created_at`;
--> statement-breakpoint
CREATE TRIGGER `application_search_changed` AFTER UPDATE OF `content`, `status` ON `application_search`
WHEN new.`content` <> old.`content` OR new.`status` <> old.`status` BEGIN
	INSERT INTO `application_fts` (`application_fts`, `rowid`, `content`, `status`)
	VALUES ('delete', old.`id`, old.`content`, old.`status`);
	INSERT INTO `application_fts` (`rowid`, `content`, `status`) VALUES (new.`id`, new.`content`, new.`status`);
END;
