CREATE TABLE `link_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`link_id` text NOT NULL,
	FOREIGN KEY (`link_id`) REFERENCES `access_links`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `access_links` (`id`, `kind`, `subject_id`, `person_id`, `created_at`, `expires_at`, `revoked_at`, `last_used_at`)
SELECT `id`, 'password_reset', `user_id`, `user_id`, `created_at`, `expires_at`, `used_at`, `used_at` FROM `password_resets`;
--> statement-breakpoint
-- Expired resets were deleted, also while their mail waited.
INSERT INTO `access_links` (`id`, `kind`, `subject_id`, `person_id`, `created_at`, `expires_at`)
SELECT substr(`dedupe_key`, 16), 'password_reset', `users`.`id`, `users`.`id`, `outbox`.`created_at`, `outbox`.`created_at`
FROM `outbox` INNER JOIN `users` ON `users`.`email` = `to_address`
WHERE `kind` = 'password-reset' AND `status` = 'queued' AND substr(`dedupe_key`, 16) NOT IN (SELECT `id` FROM `access_links`);
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.link'), '$.linkId', substr(`dedupe_key`, 16))
WHERE `kind` = 'password-reset' AND `status` = 'queued' AND `props` ->> '$.link' NOT LIKE '%&removable-factors';
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.link'), '$.linkId', substr(`dedupe_key`, 16), '$.canRemoveFactors', json('true'))
WHERE `kind` = 'password-reset' AND `status` = 'queued' AND `props` ->> '$.link' LIKE '%&removable-factors';
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.link', '$.expiresAt'), '$.linkId', substr(`dedupe_key`, 12))
WHERE `kind` = 'invitation' AND `status` = 'queued';
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.link', '$.expiresAt'), '$.linkId', substr(`dedupe_key`, 14))
WHERE `kind` = 'email-change-link' AND `status` = 'queued';
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.undo'), '$.undoLinkId',
	CASE WHEN `props` ->> '$.undo' IS NULL THEN NULL ELSE substr(`dedupe_key`, 14) END)
WHERE `kind` = 'email-changed' AND `status` = 'queued';
--> statement-breakpoint
UPDATE `outbox` SET `props` = json_set(json_remove(`props`, '$.link'), '$.linkId', (
	SELECT `id` FROM `access_links` WHERE `kind` = 'not_me' AND `access_links`.`created_at` = `outbox`.`created_at`
		AND `outbox`.`dedupe_key` LIKE 'new-login:' || `person_id` || ':%' LIMIT 1))
WHERE `kind` = 'new-login' AND `status` = 'queued';
--> statement-breakpoint
UPDATE `outbox` SET `props` = '{}'
WHERE `kind` IN ('password-reset', 'invitation', 'new-login', 'email-change-link', 'email-changed') AND `status` <> 'queued';
--> statement-breakpoint
-- The tokens of waiting mails are readable in earlier backups, so they die; delivery makes new ones.
INSERT INTO `link_tokens` (`id`, `link_id`) SELECT `id`, `id` FROM `access_links` WHERE `id` NOT IN (
	SELECT coalesce(`props` ->> '$.linkId', `props` ->> '$.undoLinkId') FROM `outbox`
	WHERE `status` = 'queued' AND coalesce(`props` ->> '$.linkId', `props` ->> '$.undoLinkId') IS NOT NULL
);
--> statement-breakpoint
DROP TABLE `password_resets`;
