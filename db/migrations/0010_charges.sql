CREATE TABLE `access_links` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`person_id` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`last_used_at` text,
	FOREIGN KEY (`person_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `access_links_subject` ON `access_links` (`kind`,`subject_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `access_links_person` ON `access_links` (`person_id`);--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`label` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`base_cents` integer,
	`rate_basis_points` integer,
	`per` text,
	`on_rent` integer,
	`on_fees` integer,
	`taxable` integer DEFAULT false NOT NULL,
	`refundable` integer DEFAULT false NOT NULL,
	`fee_rule_id` text,
	`tax_rule_id` text,
	`source` text NOT NULL,
	`request_id` text,
	`created_at` text NOT NULL,
	`created_by` text,
	`voided_at` text,
	`voided_by` text,
	`void_reason` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`fee_rule_id`) REFERENCES `fee_rules`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tax_rule_id`) REFERENCES `tax_rules`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`voided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `charges_application` ON `charges` (`application_id`,`voided_at`);--> statement-breakpoint
CREATE INDEX `charges_tax_rule` ON `charges` (`tax_rule_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `charges_request` ON `charges` (`application_id`,`request_id`);--> statement-breakpoint
CREATE TABLE `entry_requests` (
	`request_id` text PRIMARY KEY NOT NULL,
	`answer` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `fee_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`per` text NOT NULL,
	`amount_cents` integer,
	`basis_points` integer,
	`required` integer NOT NULL,
	`taxable` integer NOT NULL,
	`refundable` integer NOT NULL,
	`min_nights` integer,
	`max_nights` integer,
	`valid_from` text,
	`valid_to` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`archived_at` text
);
--> statement-breakpoint
CREATE TABLE `property_settings` (
	`section` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` text NOT NULL,
	`updated_by` text NOT NULL,
	FOREIGN KEY (`updated_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tax_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`authority` text NOT NULL,
	`authority_key` text NOT NULL,
	`basis_points` integer NOT NULL,
	`on_rent` integer NOT NULL,
	`on_fees` integer NOT NULL,
	`max_months` integer,
	`max_nights` integer,
	`valid_from` text,
	`valid_to` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`archived_at` text
);
--> statement-breakpoint
CREATE TABLE `__new_users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`role` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_users`("id", "email", "email_key", "password_hash", "first_name", "last_name", "phone", "role", "created_at", "updated_at") SELECT "id", "email", "email_key", "password_hash", "first_name", "last_name", "phone", "role", "created_at", "updated_at" FROM `users`;--> statement-breakpoint
DROP TABLE `users`;--> statement-breakpoint
ALTER TABLE `__new_users` RENAME TO `users`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
ALTER TABLE `applications` ADD `source` text DEFAULT 'tenant' NOT NULL;--> statement-breakpoint
ALTER TABLE `applications` ADD `source_note` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `rates` ADD `max_stay` integer;--> statement-breakpoint
INSERT INTO `charges` (id, application_id, kind, name, label, amount_cents, source, created_at)
SELECT lower(hex(randomblob(16))), a.id, 'rent', 'Rent', 'Rent', a.total_cents - a.deposit_cents, 'lease', l.generated_at
FROM `leases` l JOIN `applications` a ON a.id = l.application_id WHERE l.kind = 'lease' AND l.voided_at IS NULL ORDER BY l.rowid;--> statement-breakpoint
INSERT INTO `charges` (id, application_id, kind, name, label, amount_cents, source, created_at)
SELECT lower(hex(randomblob(16))), a.id, 'deposit', 'Security deposit', 'Security deposit', a.deposit_cents, 'lease', l.generated_at
FROM `leases` l JOIN `applications` a ON a.id = l.application_id WHERE l.kind = 'lease' AND l.voided_at IS NULL ORDER BY l.rowid;
