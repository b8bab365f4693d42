CREATE TABLE `leases` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`rent_cents` integer NOT NULL,
	`deposit_cents` integer NOT NULL,
	`text` text NOT NULL,
	`text_sha256` text NOT NULL,
	`generated_at` text NOT NULL,
	`signed_at` text,
	`signed_by` text,
	`file_id` text,
	`voided_at` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leases_number` ON `leases` (`application_id`,`kind`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `leases_in_force` ON `leases` (`application_id`) WHERE kind = 'lease' and voided_at is null;--> statement-breakpoint
INSERT INTO `leases` (id, application_id, kind, number, start_date, end_date, rent_cents, deposit_cents, text, text_sha256, generated_at, signed_at, signed_by, file_id)
SELECT lower(hex(randomblob(16))), id, 'lease', 1, lease_start_date, lease_end_date, rent_cents, deposit_cents, lease_text, lease_text_sha256, lease_generated_at, lease_signed_at, signed_by, signed_file_id
FROM `applications` WHERE lease_text IS NOT NULL OR lease_signed_at IS NOT NULL OR signed_file_id IS NOT NULL ORDER BY rowid;--> statement-breakpoint
CREATE TABLE `__new_applications` (
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
	`stay_start_date` text NOT NULL,
	`stay_end_date` text NOT NULL,
	`rent_cents` integer,
	`deposit_cents` integer,
	`request_id` text,
	`total_cents` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_applications`("id", "number", "user_id", "status", "first_name", "last_name", "email", "phone", "second_applicant_first_name", "second_applicant_last_name", "street", "city", "state", "zip_code", "requested_start_date", "requested_end_date", "additional_guests", "notes", "created_at", "updated_at", "submitted_at", "deleted_at", "stay_start_date", "stay_end_date", "rent_cents", "deposit_cents", "request_id", "total_cents") SELECT "id", "number", "user_id", "status", "first_name", "last_name", "email", "phone", "second_applicant_first_name", "second_applicant_last_name", "street", "city", "state", "zip_code", "requested_start_date", "requested_end_date", "additional_guests", "notes", "created_at", "updated_at", "submitted_at", "deleted_at", "stay_start_date", "stay_end_date", "rent_cents", "deposit_cents", "request_id", "total_cents" FROM `applications` ORDER BY rowid;--> statement-breakpoint
DROP TABLE `applications`;--> statement-breakpoint
ALTER TABLE `__new_applications` RENAME TO `applications`;--> statement-breakpoint
CREATE UNIQUE INDEX `applications_number` ON `applications` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `applications_request` ON `applications` (`user_id`,`request_id`);--> statement-breakpoint
CREATE INDEX `applications_user` ON `applications` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `applications_listed_created` ON `applications` (`created_at`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status` ON `applications` (`status`,`created_at`,`deleted_at`,`submitted_at`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_first_name` ON `applications` (first_name collate nocase) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_total` ON `applications` (`total_cents`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status_first_name` ON `applications` (`status`,first_name collate nocase) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status_total` ON `applications` (`status`,`total_cents`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_booked` ON `applications` (`stay_end_date`) WHERE deleted_at is null and status in ('approved', 'completed');