ALTER TABLE `applications` ADD `awaits_mailbox` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `mailbox_proven_at` text;--> statement-breakpoint
-- Proven so far: a mailed link was used, or the operator's program created the account. A booking stays open to whoever could open it.
UPDATE `users` SET `mailbox_proven_at` = coalesce(
	(
		SELECT min(`at`) FROM `events` WHERE `subject_id` = `users`.`id` AND (
			`kind` IN ('account.invitation_accepted', 'account.email_changed')
			OR (`kind` = 'account.password_changed' AND `actor_role` = 'guest')
			OR (`kind` = 'account.created' AND `actor_role` = 'system')
		)
	),
	CASE WHEN `role` = 'admin' THEN `created_at` END
);
