CREATE INDEX `calendar_conflicts_other` ON `calendar_conflicts` (`other_event_id`);--> statement-breakpoint
CREATE INDEX `calendar_events_ended` ON `calendar_events` (`feed_id`,`ended_at`) WHERE "calendar_events"."ended_at" is not null;--> statement-breakpoint
-- A mail server may have quoted a working link.
UPDATE `outbox` SET `last_error` = 'The answer of the mail server is no longer kept.'
WHERE `last_error` LIKE '%http%://%' OR `last_error` GLOB '*[A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-]*';
--> statement-breakpoint
-- A calendar host could cause any number of these. All double bookings are among the notices.
UPDATE `outbox` SET `status` = 'withdrawn', `props` = '{}', `last_error` = NULL
WHERE `kind` = 'owner-double-booking' AND `status` = 'queued' AND `rowid` NOT IN (
	SELECT `rowid` FROM `outbox` WHERE `kind` = 'owner-double-booking' AND `status` = 'queued'
	ORDER BY `created_at` DESC, `rowid` DESC LIMIT 3
);
