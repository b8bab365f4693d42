CREATE TABLE `book_closings` (
	`id` text PRIMARY KEY NOT NULL,
	`year` integer NOT NULL,
	`version` integer NOT NULL,
	`closed_at` text NOT NULL,
	`closed_by` text NOT NULL,
	`totals` text NOT NULL,
	`sha256` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `book_closings_version` ON `book_closings` (`year`,`version`);--> statement-breakpoint
CREATE TABLE `deposit_cases` (
	`application_id` text PRIMARY KEY NOT NULL,
	`rule_id` text,
	`vacated_on` text,
	`closed_at` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rule_id`) REFERENCES `deposit_rules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `deposit_items` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`category` text NOT NULL,
	`label` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` text NOT NULL,
	`kept_at` text,
	`payment_id` text,
	`voided_at` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deposit_items_application` ON `deposit_items` (`application_id`);--> statement-breakpoint
CREATE TABLE `deposit_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`number` integer NOT NULL,
	`address` text NOT NULL,
	`items` text NOT NULL,
	`claimed_cents` integer NOT NULL,
	`file_id` text NOT NULL,
	`sha256` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`sent_statement_id` text,
	`voided_at` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deposit_letters_number` ON `deposit_letters` (`application_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `deposit_letters_request` ON `deposit_letters` (`application_id`,`request_id`);--> statement-breakpoint
CREATE TABLE `deposit_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`return_days` integer NOT NULL,
	`claim_days` integer NOT NULL,
	`objection_days` integer NOT NULL,
	`rest_days` integer NOT NULL,
	`delivery` text NOT NULL,
	`notice_text` text NOT NULL,
	`preset` integer NOT NULL,
	`created_at` text NOT NULL,
	`archived_at` text
);
--> statement-breakpoint
CREATE TABLE `deposit_statements` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`number` integer NOT NULL,
	`letter_id` text,
	`file_id` text NOT NULL,
	`sha256` text NOT NULL,
	`items` text NOT NULL,
	`claimed_cents` integer NOT NULL,
	`how` text NOT NULL,
	`tracking_number` text NOT NULL,
	`sent_on` text NOT NULL,
	`objection_until` text NOT NULL,
	`objected_at` text,
	`objection` text,
	`agreed_at` text,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`letter_id`) REFERENCES `deposit_letters`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deposit_statements_number` ON `deposit_statements` (`application_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `deposit_statements_request` ON `deposit_statements` (`application_id`,`request_id`);--> statement-breakpoint
CREATE TABLE `evidence` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`part` text DEFAULT '' NOT NULL,
	`file_id` text NOT NULL,
	`sha256` text NOT NULL,
	`received_at` text NOT NULL,
	`taken_at` text,
	`screen` text NOT NULL,
	`actor_role` text NOT NULL,
	`actor_id` text NOT NULL,
	`address` text NOT NULL,
	`user_agent` text NOT NULL,
	`clock_doubtful` integer NOT NULL,
	`request_id` text NOT NULL,
	`removed_at` text,
	`removed_by` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `evidence_request` ON `evidence` (`subject`,`subject_id`,`request_id`);--> statement-breakpoint
CREATE INDEX `evidence_application` ON `evidence` (`application_id`);--> statement-breakpoint
CREATE TABLE `return_legs` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`cause` text NOT NULL,
	`cause_id` text NOT NULL,
	`position` integer NOT NULL,
	`payment_id` text,
	`kind` text NOT NULL,
	`by` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`refund_id` text,
	`row_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`row_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `return_legs_cause` ON `return_legs` (`cause`,`cause_id`,`position`);--> statement-breakpoint
CREATE INDEX `return_legs_application` ON `return_legs` (`application_id`);--> statement-breakpoint
CREATE INDEX `return_legs_under_way` ON `return_legs` (`state`) WHERE state in ('waiting', 'sent');--> statement-breakpoint
CREATE TABLE `tax_remittances` (
	`id` text PRIMARY KEY NOT NULL,
	`tax_rule_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`paid_on` text NOT NULL,
	`reference` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`voided_at` text,
	FOREIGN KEY (`tax_rule_id`) REFERENCES `tax_rules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_remittances_request_id_unique` ON `tax_remittances` (`request_id`);--> statement-breakpoint
ALTER TABLE `disputes` ADD `closed_at` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `corrected_amount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `pays_bill` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `provider_fee_cents` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `purpose` text DEFAULT 'refund' NOT NULL;--> statement-breakpoint
-- A refunded deposit was never owed again until now.
UPDATE `refunds` SET `purpose` = 'deposit_return' WHERE `payment_id` IN (SELECT `id` FROM `payments` WHERE `type` = 'deposit');--> statement-breakpoint
UPDATE `disputes` SET `closed_at` = coalesce(`reported_at`, `created_at`) WHERE `status` IN ('won', 'lost', 'warning_closed', 'prevented');--> statement-breakpoint
INSERT INTO `deposit_rules` VALUES
('florida', 'Florida, s. 83.49 (not reviewed)', 15, 30, 15, 30, 'post', 'This is a notice of my intention to impose a claim for damages in the amount of {amount} upon your security deposit, due to {reasons}. It is sent to you as required by s. 83.49(3), Florida Statutes. You are hereby notified that you must object in writing to this deduction from your security deposit within 15 days from the time you receive this notice or I will be authorized to deduct my claim from your security deposit. Your objection must be sent to {address}.', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL),
('general', 'General, 30 days (not reviewed)', 30, 30, 15, 30, 'email', 'This statement tells what is claimed of your security deposit: {amount}, for {reasons}. If you do not agree, please tell us in writing: {address}.', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL);
