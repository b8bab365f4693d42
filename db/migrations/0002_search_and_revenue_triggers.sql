-- What the admin's search looks through. Two spaces before each field and one before each word let one and two letters
-- be found as beginnings, where the index knows only three in a row.
CREATE VIEW `application_searchable` AS
SELECT
	`id` AS `application_id`,
	'  ' || `first_name` || ' ' || `last_name` || '  ' || `last_name` || '  ' || `email` || '  ' || `number` || '  ' || `phone`
		|| '  ' || replace(replace(replace(replace(`phone`, ' ', ''), '-', ''), '(', ''), ')', '') AS `content`,
	`status`
FROM `applications`
WHERE `deleted_at` IS NULL AND `submitted_at` IS NOT NULL;
--> statement-breakpoint
CREATE VIRTUAL TABLE `application_fts` USING fts5(
	`content`, `status`, content = 'application_search', content_rowid = 'id', tokenize = 'trigram'
);
--> statement-breakpoint
CREATE TRIGGER `application_search_added` AFTER INSERT ON `application_search` BEGIN
	INSERT INTO `application_fts` (`rowid`, `content`, `status`) VALUES (new.`id`, new.`content`, new.`status`);
END;
--> statement-breakpoint
CREATE TRIGGER `application_search_removed` AFTER DELETE ON `application_search` BEGIN
	INSERT INTO `application_fts` (`application_fts`, `rowid`, `content`, `status`)
	VALUES ('delete', old.`id`, old.`content`, old.`status`);
END;
--> statement-breakpoint
CREATE TRIGGER `applications_search_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `application_search` (`application_id`, `content`, `status`)
	SELECT * FROM `application_searchable` WHERE `application_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_search_changed`
AFTER UPDATE OF `first_name`, `last_name`, `email`, `number`, `phone`, `status`, `submitted_at`, `deleted_at` ON `applications`
BEGIN
	DELETE FROM `application_search` WHERE `application_id` = old.`id`;
	INSERT INTO `application_search` (`application_id`, `content`, `status`)
	SELECT * FROM `application_searchable` WHERE `application_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_search_removed` AFTER DELETE ON `applications` BEGIN
	DELETE FROM `application_search` WHERE `application_id` = old.`id`;
END;
--> statement-breakpoint
INSERT INTO `application_search` (`application_id`, `content`, `status`)
SELECT * FROM `application_searchable`;
--> statement-breakpoint
CREATE TRIGGER `payments_revenue_added` AFTER INSERT ON `payments` WHEN new.`revenue_month` IS NOT NULL BEGIN
	INSERT INTO `revenue_months` VALUES (
		new.`revenue_month`, new.`type`, new.`amount_cents` - new.`refunded_amount_cents`,
		new.`fee_cents` - new.`refunded_fee_cents`, 1, new.`amount_cents` > 0
	) ON CONFLICT DO UPDATE SET
		`amount_cents` = `amount_cents` + excluded.`amount_cents`, `fee_cents` = `fee_cents` + excluded.`fee_cents`,
		`counted` = `counted` + 1, `received` = `received` + excluded.`received`;
END;
--> statement-breakpoint
CREATE TRIGGER `payments_revenue_removed` AFTER DELETE ON `payments` WHEN old.`revenue_month` IS NOT NULL BEGIN
	UPDATE `revenue_months` SET
		`amount_cents` = `amount_cents` - (old.`amount_cents` - old.`refunded_amount_cents`),
		`fee_cents` = `fee_cents` - (old.`fee_cents` - old.`refunded_fee_cents`),
		`counted` = `counted` - 1, `received` = `received` - (old.`amount_cents` > 0)
	WHERE `month` = old.`revenue_month` AND `type` = old.`type`;
END;
--> statement-breakpoint
CREATE TRIGGER `payments_revenue_changed` AFTER UPDATE ON `payments` BEGIN
	UPDATE `revenue_months` SET
		`amount_cents` = `amount_cents` - (old.`amount_cents` - old.`refunded_amount_cents`),
		`fee_cents` = `fee_cents` - (old.`fee_cents` - old.`refunded_fee_cents`),
		`counted` = `counted` - 1, `received` = `received` - (old.`amount_cents` > 0)
	WHERE `month` = old.`revenue_month` AND `type` = old.`type`;
	INSERT INTO `revenue_months`
	SELECT
		new.`revenue_month`, new.`type`, new.`amount_cents` - new.`refunded_amount_cents`,
		new.`fee_cents` - new.`refunded_fee_cents`, 1, new.`amount_cents` > 0
	WHERE new.`revenue_month` IS NOT NULL
	ON CONFLICT DO UPDATE SET
		`amount_cents` = `amount_cents` + excluded.`amount_cents`, `fee_cents` = `fee_cents` + excluded.`fee_cents`,
		`counted` = `counted` + 1, `received` = `received` + excluded.`received`;
END;
--> statement-breakpoint
INSERT INTO `revenue_months`
SELECT
	`revenue_month`, `type`, sum(`amount_cents` - `refunded_amount_cents`), sum(`fee_cents` - `refunded_fee_cents`),
	count(*), sum(`amount_cents` > 0)
FROM `payments` WHERE `revenue_month` IS NOT NULL GROUP BY 1, 2;
