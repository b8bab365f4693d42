CREATE TABLE `claim_terms` (
	`claim_id` text PRIMARY KEY NOT NULL,
	`guests` integer NOT NULL,
	`rent_cents` integer NOT NULL,
	`deposit_cents` integer NOT NULL,
	`fees` text NOT NULL,
	`price_from` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`secure_days` integer NOT NULL,
	`answer_days` integer NOT NULL,
	`platforms` text DEFAULT 'closed' NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`opened_at` text,
	`accepted_at` text,
	`typed_name` text,
	`total_cents` integer,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `claims` ADD `last_date` text;--> statement-breakpoint
ALTER TABLE `claims` ADD `asked_by_owner` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `accepted_application_id` text REFERENCES applications(id);--> statement-breakpoint
ALTER TABLE `claims` ADD `user_id` text REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `claims` ADD `email` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `email_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `first_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `last_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `override_events` text;--> statement-breakpoint
CREATE INDEX `claims_email` ON `claims` (`email_key`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `claims_accepted` ON `claims` (`accepted_application_id`);