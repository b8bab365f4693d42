-- What disputes that were lost before had taken of each payment's amount, shared with its fee as refunds are.
UPDATE `payments` SET `lost_amount_cents` = (
	SELECT `lost` - (2 * `lost` * `fee_cents` + `total`) / (2 * `total`) FROM (
		SELECT min(sum(`total_cents`), `amount_cents` + `fee_cents`) AS `lost`, `amount_cents` + `fee_cents` AS `total`
		FROM `disputes` WHERE `payment_id` = `payments`.`id` AND `status` = 'lost'
	)
)
WHERE `amount_cents` + `fee_cents` > 0
	AND `id` IN (SELECT `payment_id` FROM `disputes` WHERE `status` = 'lost');
