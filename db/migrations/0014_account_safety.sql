CREATE TABLE `email_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`new_email` text NOT NULL,
	`old_email` text NOT NULL,
	`applications_too` integer NOT NULL,
	`created_at` text NOT NULL,
	`confirmed_old_at` text,
	`confirmed_new_at` text,
	`done_at` text,
	`undo_until` text,
	`cancelled_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_changes_user` ON `email_changes` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_changes_undo` ON `email_changes` (`undo_until`);--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `login_challenges_user` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_challenges_expiry` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text,
	PRIMARY KEY(`user_id`, `code_sha256`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `user_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`secret_enc` text,
	`last_step` integer,
	`credential_id` text,
	`public_key` text,
	`counter` integer,
	`backed_up` integer,
	`rp_id` text,
	`created_at` text NOT NULL,
	`confirmed_at` text,
	`last_used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_factors_user` ON `user_factors` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `user_factors_totp` ON `user_factors` (`user_id`) WHERE kind = 'totp';--> statement-breakpoint
CREATE UNIQUE INDEX `user_factors_credential` ON `user_factors` (`credential_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `public_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `factor_at` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `step_up_at` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `step_up_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `address` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ended_at` text;--> statement-breakpoint
UPDATE `sessions` SET `public_id` = lower(hex(randomblob(16)));--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id` ON `sessions` (`public_id`);--> statement-breakpoint
CREATE INDEX `events_subject_kind` ON `events` (`subject_id`,`kind`,`at`);