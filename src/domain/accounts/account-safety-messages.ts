/** Messages for two-step verification, sessions and email changes that screens show by themselves too. */
export const safetyMessages = {
  stepUp: 'Please confirm that it is you.',
  wrongPasskey: 'That passkey could not be checked. Please try again.',
  loginAgain: 'Please log in again.',
  tooManyPasskeys: 'You already have 10 passkeys. Please remove one first.',
  passkeyExists: 'This passkey is already registered.',
  invalidLink: 'This link is invalid or has expired.',
  setUp: 'Two-step verification is on',
  emailChangeSent: 'We have sent a link to both addresses.',
  signedOutEverywhere: 'All sessions have ended. We have sent you a link to set a new password.',
} as const

/** What the server answers, which screens need not load. */
export const safetyAnswers = {
  wrongCode: 'That code is not right. Check that the clock of your phone is right.',
  wrongRecoveryCode: 'That recovery code is incorrect or has already been used.',
  wrongPassword: 'That password is incorrect.',
  passkeyWentBack: 'That passkey looks like a copy and was refused. Please use another way to log in.',
  tooManyCodes: 'Too many wrong codes. Please wait a while and try again.',
  newPasswordFirst: 'Too many wrong codes. Please set a new password, then log in again.',
  sessionEnded: 'Your session has ended.',
  totpExists: 'Two-step verification is already on.',
  setupExpired: 'This setup has expired. Please start again.',
  noSetup: 'Please start the setup first.',
  noFactor: 'Two-step verification is off.',
  factorNotFound: 'This has already been removed.',
  passkeysUnavailable: 'Passkeys need the https address of the site.',
  keyUnavailable: 'Authenticator apps cannot be used at the moment: the site’s key is damaged.',
  signedOut: 'Logged out',
  sessionNotFound: 'This session has already ended.',
  sameEmail: 'This is already your email address.',
  noMail: 'Mail is not set up.',
  confirmMailbox: 'Please confirm your email address first.',
  mailboxProven: 'Your email address is already confirmed.',
  mailboxConfirmed: 'Email address confirmed',
  wrongMailboxCode: 'That code is not right. Please use the code of the newest mail.',
  mailboxCodeOver: 'This code no longer works. Please ask for a new one.',
  tooManyMailboxCodes: 'We have sent you five codes today. Please try again tomorrow.',
  noCodes: 'Codes cannot be mailed at the moment: the site’s key is damaged.',
  factorRemoved: 'Removed',
  remindedLater: 'You will be reminded in 30 days.',
  emailChangeCanceled: 'The change was canceled.',
} as const

/** Notices on the owner's notice board. */
export const safetyNotices = {
  adminWithoutFactor: {
    title: 'Protect your account with two-step verification',
    detail:
      'One password guards refunds, leases and the addresses of everybody who ever stayed. With a code from your phone or a passkey as a second step, a stolen password alone is not enough.',
  },
  lostKey: (people: number) => ({
    title: 'The site’s key has changed',
    detail: `Authenticator codes of ${people === 1 ? '1 person' : `${people} people`} do not work. Recovery codes and passkeys do. Put the former secret.key back beside the database and restart the site, or set the authenticator apps up again.`,
  }),
  damagedKey: {
    title: 'The site’s key cannot be used',
    detail: (message: string) =>
      `${message} Authenticator codes do not work. Recovery codes and passkeys do.`,
  },
  exposedKey: {
    title: 'The site’s key could be read by other users of this machine',
    detail:
      'It was readable until the last start. Anyone who copied it and the database can generate authenticator codes: set the authenticator apps up again if you do not trust everybody on this machine.',
  },
  passkeysOfOtherHost: (host: string) => `Passkeys that were made for ${host} do not work at this address.`,
  passkeyWentBack: 'A passkey was refused because it looks like a copy',
} as const
