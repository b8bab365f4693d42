CREATE TABLE `stay_links` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`name` text NOT NULL,
	`with_code` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stay_links_application` ON `stay_links` (`application_id`);