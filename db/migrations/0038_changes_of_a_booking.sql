CREATE TABLE `addenda` (
	`lease_id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	`lines` text NOT NULL,
	`override_calendar` text NOT NULL,
	`valid_until` text NOT NULL,
	`closed` text,
	`closed_at` text,
	`reason` text DEFAULT '' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`created_by` text,
	FOREIGN KEY (`lease_id`) REFERENCES `leases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `cancellations` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`state` text NOT NULL,
	`side` text NOT NULL,
	`reason` text NOT NULL,
	`requested_at` text,
	`requested_by` text,
	`received_on` text NOT NULL,
	`decided_at` text,
	`decided_by` text,
	`note` text DEFAULT '' NOT NULL,
	`policy` text NOT NULL,
	`paid_cents` integer,
	`refund_cents` integer,
	`kept_cents` integer,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `cancellations_application` ON `cancellations` (`application_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cancellations_requested` ON `cancellations` (`application_id`) WHERE state = 'requested';--> statement-breakpoint
CREATE UNIQUE INDEX `cancellations_cancelled` ON `cancellations` (`application_id`) WHERE state = 'cancelled';--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`until_at` text NOT NULL,
	`ended_at` text,
	`ended_as` text,
	`application_id` text,
	`lease_id` text,
	`created_at` text NOT NULL,
	`created_by` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lease_id`) REFERENCES `leases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `claims_not_ended` ON `claims` (`end_date`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `claims_application` ON `claims` (`application_id`);--> statement-breakpoint
CREATE INDEX `claims_lease` ON `claims` (`lease_id`);--> statement-breakpoint
CREATE TABLE `signers` (
	`id` text PRIMARY KEY NOT NULL,
	`signing_id` text NOT NULL,
	`role` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`position` integer NOT NULL,
	`invited_at` text NOT NULL,
	`opened_at` text,
	`declined_at` text,
	`decline_reason` text,
	`removed_at` text,
	`signed_at` text,
	`mode` text,
	`typed_name` text,
	`image_file_id` text,
	`text_sha256` text,
	`notice_sha256` text,
	`consent_version` text,
	`address` text,
	`user_agent` text,
	FOREIGN KEY (`signing_id`) REFERENCES `signings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signers_position` ON `signers` (`signing_id`,`position`);--> statement-breakpoint
CREATE TABLE `signings` (
	`id` text PRIMARY KEY NOT NULL,
	`lease_id` text NOT NULL,
	`state` text NOT NULL,
	`opened_at` text NOT NULL,
	`opened_by` text,
	`closed_at` text,
	`reason` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`lease_id`) REFERENCES `leases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`opened_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signings_lease` ON `signings` (`lease_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `signings_open` ON `signings` (`lease_id`) WHERE state = 'open';--> statement-breakpoint
ALTER TABLE `calendar_conflicts` ADD `claim_id` text REFERENCES claims(id);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_conflicts_claim` ON `calendar_conflicts` (`event_id`,`claim_id`);--> statement-breakpoint
ALTER TABLE `charges` ADD `cancellation_id` text REFERENCES cancellations(id);--> statement-breakpoint
ALTER TABLE `charges` ADD `addendum_id` text REFERENCES leases(id);--> statement-breakpoint
CREATE UNIQUE INDEX `leases_open_addendum` ON `leases` (`application_id`) WHERE kind = 'addendum' and signed_at is null and voided_at is null;