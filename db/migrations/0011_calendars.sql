CREATE TABLE `calendar_conflicts` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`application_id` text,
	`other_event_id` text,
	`created_at` text NOT NULL,
	`acknowledged_at` text,
	`resolved_at` text,
	FOREIGN KEY (`event_id`) REFERENCES `calendar_events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_event_id`) REFERENCES `calendar_events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_conflicts_application` ON `calendar_conflicts` (`event_id`,`application_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_conflicts_event` ON `calendar_conflicts` (`event_id`,`other_event_id`);--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`id` text PRIMARY KEY NOT NULL,
	`feed_id` text NOT NULL,
	`uid` text NOT NULL,
	`kind` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`echo` integer NOT NULL,
	`covered_at` text,
	`first_seen_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`missing_since` text,
	`misses` integer DEFAULT 0 NOT NULL,
	`released_at` text,
	`ended_at` text,
	FOREIGN KEY (`feed_id`) REFERENCES `calendar_feeds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `calendar_events_feed_uid` ON `calendar_events` (`feed_id`,`uid`);--> statement-breakpoint
CREATE INDEX `calendar_events_live` ON `calendar_events` (`end_date`) WHERE "calendar_events"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `calendar_exports` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`feed_id` text,
	`token` text NOT NULL,
	`old_token` text,
	`old_until` text,
	`last_fetched_at` text,
	`last_agent` text,
	`created_at` text NOT NULL,
	`removed_at` text,
	FOREIGN KEY (`feed_id`) REFERENCES `calendar_feeds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_exports_token` ON `calendar_exports` (`token`);--> statement-breakpoint
CREATE INDEX `calendar_exports_old` ON `calendar_exports` (`old_token`);--> statement-breakpoint
CREATE TABLE `calendar_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`provider` text NOT NULL,
	`mode` text NOT NULL,
	`url` text NOT NULL,
	`active` integer NOT NULL,
	`etag` text,
	`last_modified` text,
	`body_sha256` text,
	`parsed_at` text,
	`last_attempt_at` text,
	`last_success_at` text,
	`next_attempt_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`unreadable` integer DEFAULT 0 NOT NULL,
	`empty_since` text,
	`created_at` text NOT NULL,
	`removed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_url` ON `calendar_feeds` (`url`) WHERE "calendar_feeds"."removed_at" is null;--> statement-breakpoint
CREATE TABLE `calendar_published` (
	`uid` text PRIMARY KEY NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`sequence` integer NOT NULL,
	`changed_at` text NOT NULL,
	`gone_at` text
);
