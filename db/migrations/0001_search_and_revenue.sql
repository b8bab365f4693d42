CREATE TABLE `application_search` (
	`id` integer PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`content` text NOT NULL,
	`status` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `application_search_application_id_unique` ON `application_search` (`application_id`);--> statement-breakpoint
CREATE TABLE `revenue_months` (
	`month` text NOT NULL,
	`type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`counted` integer NOT NULL,
	`received` integer NOT NULL,
	PRIMARY KEY(`month`, `type`)
);
--> statement-breakpoint
DROP INDEX `payments_revenue`;--> statement-breakpoint
ALTER TABLE `payments` ADD `revenue_month` text GENERATED ALWAYS AS (case when status = 'succeeded' and voided_at is null and method <> 'transfer' and type not in ('admin_transfer', 'deposit_transfer', 'deduction') then substr(paid_at, 1, 7) end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `payments_revenue` ON `payments` (`paid_at`,`type`,`amount_cents`,`fee_cents`,`refunded_amount_cents`,`refunded_fee_cents`) WHERE revenue_month is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status_first_name` ON `applications` (`status`,first_name collate nocase) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `applications_listed_status_total` ON `applications` (`status`,`total_cents`) WHERE deleted_at is null and submitted_at is not null;--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);--> statement-breakpoint
CREATE INDEX `files_damaged` ON `files` (`damaged_at`) WHERE damaged_at is not null;