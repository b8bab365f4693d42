CREATE TABLE `arrival_sections` (
	`section` text NOT NULL,
	`version` integer NOT NULL,
	`body` text NOT NULL,
	`password_enc` text,
	`at` text NOT NULL,
	`actor_id` text NOT NULL,
	PRIMARY KEY(`section`, `version`)
);
--> statement-breakpoint
CREATE TABLE `lock_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`lock_id` text NOT NULL,
	`lock_name` text NOT NULL,
	`application_id` text NOT NULL,
	`code_enc` text NOT NULL,
	`made_at` text NOT NULL,
	`set_at` text,
	`first_shown_at` text,
	`retired_at` text,
	`removed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lock_codes_live` ON `lock_codes` (`lock_id`,`application_id`) WHERE retired_at is null;--> statement-breakpoint
CREATE TABLE `stay_gates` (
	`application_id` text PRIMARY KEY NOT NULL,
	`opened_at` text,
	`hold` text,
	`hold_reason` text,
	`hold_at` text
);
