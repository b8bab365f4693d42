-- A dispute takes its own amount out of a payment, not the whole payment, and at most what refunds have left.
UPDATE `payments` SET
	`refunded_amount_cents` = `gone` - (2 * `gone` * `fee_cents` + `total`) / (2 * `total`),
	`refunded_fee_cents` = (2 * `gone` * `fee_cents` + `total`) / (2 * `total`),
	`lost_amount_cents` = `gone` - (2 * `gone` * `fee_cents` + `total`) / (2 * `total`)
		- (`refunded` - (2 * `refunded` * `fee_cents` + `total`) / (2 * `total`)),
	`status` = CASE WHEN `gone` < `total` THEN 'succeeded' WHEN `withheld` > 0 THEN 'disputed' ELSE 'refunded' END
FROM (
	SELECT `id` AS `payment_id`, `total`, `withheld`, min(`total`, `refunds`) AS `refunded`,
		min(`total`, `refunds` + `lost` + `withheld`) AS `gone`
	FROM (
		SELECT `id`, `amount_cents` + `fee_cents` AS `total`,
			(SELECT coalesce(sum(`total_cents`), 0) FROM `refunds` WHERE `payment_id` = `payments`.`id`
				AND `status` NOT IN ('requested', 'answered', 'canceled', 'failed')) AS `refunds`,
			(SELECT coalesce(sum(`total_cents`), 0) FROM `disputes` WHERE `payment_id` = `payments`.`id`
				AND `status` = 'lost') AS `lost`,
			(SELECT coalesce(sum(`total_cents`), 0) FROM `disputes` WHERE `payment_id` = `payments`.`id`
				AND `status` IN ('needs_response', 'under_review')) AS `withheld`
		FROM `payments` WHERE `id` IN (SELECT `payment_id` FROM `disputes`)
	)
) AS `taken`
WHERE `payments`.`id` = `taken`.`payment_id` AND `total` > 0 AND `paid_at` IS NOT NULL
	AND `provider_method` IS NOT 'us_bank_account';
