UPDATE `outbox` SET `kind` = 'owner-critical-notices', `dedupe_key` = replace(`dedupe_key`, 'owner-dangers:', 'owner-critical-notices:') WHERE `kind` = 'owner-dangers';--> statement-breakpoint
UPDATE `outbox` SET `kind` = 'owner-content-unreadable' WHERE `kind` = 'owner-words-unreadable';
