export type WayToPay = { name: string; instructions: string }

/** Ways to pay without the card fee, listed on the payment page. Change them to the ones that you accept. */
export const waysToPay: WayToPay[] = [
  {
    name: 'Zelle',
    instructions: 'Send to {ownerEmail} from your bank’s app, with your application number in the memo.',
  },
  {
    name: 'Venmo',
    instructions: 'Ask for the account at {ownerEmail}, then pay with your application number in the note.',
  },
  {
    name: 'Money order',
    instructions:
      'Made out to {companyName}. Ask for the mailing address at {ownerEmail}, and keep the stub.',
  },
  {
    name: 'Wire transfer',
    instructions:
      'Ask for the bank details at {ownerEmail}, and confirm them by phone at {ownerPhone} before you send money.',
  },
  {
    name: 'Stablecoin (USDC)',
    instructions:
      'Ask for the address and network at {ownerEmail}. Send a small amount first, and wait until it is confirmed.',
  },
  {
    name: 'Check',
    instructions:
      'Made out to {companyName}, with your application number on the memo line. Ask for the mailing address at {ownerEmail}.',
  },
]
