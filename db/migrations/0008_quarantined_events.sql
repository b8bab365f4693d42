UPDATE `provider_events` SET `outcome` = 'quarantined' WHERE `outcome` = 'set_aside';
