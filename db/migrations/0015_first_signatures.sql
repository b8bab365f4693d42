ALTER TABLE `leases` ADD `first_signed_at` text;--> statement-breakpoint
UPDATE `leases` SET `first_signed_at` = (
	SELECT min(e.`at`) FROM `events` e
	WHERE e.`subject_id` = `leases`.`application_id` AND e.`kind` IN ('lease.signed', 'lease.uploaded')
	AND e.`at` < coalesce(`leases`.`signed_at`, '9999')
	AND e.`id` > coalesce((
		SELECT max(b.`id`) FROM `events` b
		WHERE b.`subject_id` = `leases`.`application_id`
		AND b.`kind` IN ('lease.generated', 'plan.made', 'plan.changed', 'plan.replaced', 'plan.removed')
	), 0)
) WHERE `kind` = 'lease' AND `voided_at` IS NULL;
