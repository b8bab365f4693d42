CREATE TABLE `applications` (
	`id` text PRIMARY KEY NOT NULL,
	`number` text NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`second_applicant_first_name` text DEFAULT '' NOT NULL,
	`second_applicant_last_name` text DEFAULT '' NOT NULL,
	`street` text NOT NULL,
	`city` text NOT NULL,
	`state` text NOT NULL,
	`zip_code` text NOT NULL,
	`requested_start_date` text NOT NULL,
	`requested_end_date` text NOT NULL,
	`additional_guests` text NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`submitted_at` text,
	`deleted_at` text,
	`lease_start_date` text,
	`lease_end_date` text,
	`rent_cents` integer,
	`deposit_cents` integer,
	`lease_text` text,
	`lease_text_sha256` text,
	`lease_generated_at` text,
	`lease_signed_at` text,
	`signed_file_id` text,
	`stay_start_date` text GENERATED ALWAYS AS (coalesce(lease_start_date, requested_start_date)) VIRTUAL,
	`stay_end_date` text GENERATED ALWAYS AS (coalesce(lease_end_date, requested_end_date)) VIRTUAL,
	`request_id` text,
	`signed_by` text,
	`total_cents` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`signed_file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_number` ON `applications` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `applications_request` ON `applications` (`user_id`,`request_id`);--> statement-breakpoint
CREATE INDEX `applications_user` ON `applications` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `applications_listed_created` ON `applications` (`created_at`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status` ON `applications` (`status`,`created_at`,`deleted_at`,`submitted_at`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_first_name` ON `applications` (first_name collate nocase) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_total` ON `applications` (`total_cents`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_booked` ON `applications` (`stay_end_date`) WHERE deleted_at is null and status in ('approved', 'completed');--> statement-breakpoint
CREATE TABLE `availability` (
	`date` text PRIMARY KEY NOT NULL,
	`is_available` integer NOT NULL,
	`reason` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`total_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`actor_id` text,
	`actor_role` text NOT NULL,
	`address` text,
	`user_agent` text,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_subject` ON `events` (`subject_id`,`id`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`storage_name` text NOT NULL,
	`original_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`removed_at` text,
	`damaged_at` text
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`dedupe_key` text NOT NULL,
	`kind` text NOT NULL,
	`props` text NOT NULL,
	`to_address` text NOT NULL,
	`reply_to` text,
	`created_at` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`last_error` text,
	`sent_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe` ON `outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `password_resets_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`application_id` text,
	`type` text NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`refunded_amount_cents` integer DEFAULT 0 NOT NULL,
	`refunded_fee_cents` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`check_number` text DEFAULT '' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`created_at` text NOT NULL,
	`paid_at` text,
	`voided_at` text,
	`transfer_id` text,
	`checkout_session_id` text,
	`checkout_url` text,
	`checkout_expires_at` text,
	`success_url` text,
	`cancel_url` text,
	`stripe_payment_intent_id` text,
	`stripe_charge_id` text,
	`card_brand` text,
	`card_last4` text,
	`receipt_url` text,
	`receipt_queued_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payments_user` ON `payments` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_application` ON `payments` (`application_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_transfer` ON `payments` (`transfer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_checkout_session` ON `payments` (`checkout_session_id`);--> statement-breakpoint
CREATE INDEX `payments_payment_intent` ON `payments` (`stripe_payment_intent_id`);--> statement-breakpoint
CREATE INDEX `payments_open` ON `payments` (`status`,`created_at`) WHERE status in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX `payments_revenue` ON `payments` (`paid_at`,`type`,`status`,`method`,`voided_at`,`amount_cents`,`fee_cents`,`refunded_amount_cents`,`refunded_fee_cents`);--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`payload` text NOT NULL,
	`dismissed_at` text
);
--> statement-breakpoint
CREATE INDEX `provider_events_outcome` ON `provider_events` (`outcome`,`received_at`);--> statement-breakpoint
CREATE TABLE `rates` (
	`id` text PRIMARY KEY NOT NULL,
	`period` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`nightly_cents` integer,
	`weekend_night_cents` integer,
	`weekly_cents` integer,
	`monthly_cents` integer NOT NULL,
	`min_stay` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`total_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`last_value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`role` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);