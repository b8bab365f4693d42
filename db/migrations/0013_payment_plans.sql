CREATE TABLE `instalments` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`charge_id` text,
	`label` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`due_date` text,
	`created_at` text NOT NULL,
	`superseded_at` text,
	`waived_at` text,
	`reason` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`charge_id`) REFERENCES `charges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `instalments_application` ON `instalments` (`application_id`,`position`) WHERE superseded_at is null;--> statement-breakpoint
CREATE INDEX `instalments_due` ON `instalments` (`due_date`) WHERE superseded_at is null;--> statement-breakpoint
CREATE INDEX `instalments_charge` ON `instalments` (`charge_id`) WHERE superseded_at is null;--> statement-breakpoint
CREATE TABLE `late_fees` (
	`instalment_id` text PRIMARY KEY NOT NULL,
	`charge_id` text,
	`at` text NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`instalment_id`) REFERENCES `instalments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`charge_id`) REFERENCES `charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `mailed_notices` (
	`notice_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_plans` (
	`application_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`late_fee` text,
	`version` integer NOT NULL,
	`made_at` text NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `leases` ADD `plan_choice` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `provider_method` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `failure_reason` text;--> statement-breakpoint
UPDATE `payments` SET `provider_method` = 'card' WHERE `method` = 'card';
