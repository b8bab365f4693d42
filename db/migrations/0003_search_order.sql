ALTER TABLE `application_search` ADD `created_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `application_search` ADD `first_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `application_search` ADD `total_cents` integer DEFAULT 0 NOT NULL;