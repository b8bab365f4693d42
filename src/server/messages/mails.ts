// Every kind of mail: each file of mails is one line here.
export { accountMails } from './mails/account.tsx'
export { bookingMails } from './mails/bookings.tsx'
export { conversationMails } from './mails/conversations.tsx'
export { customizableMails } from './mails/customizable.tsx'
export { factorMails } from './mails/factors.tsx'
export { ownerMails } from './mails/owner.tsx'
export { paymentMails } from './mails/payments.tsx'
export { planMails } from './mails/plans.tsx'
