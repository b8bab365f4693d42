import type { ContentDocument } from '../../../domain/content/content.ts'

/** The shipped privacy policy. */
export const shippedPrivacy: ContentDocument['privacy'] = {
  effective: 'September 2025',
  intro:
    'This page says what {companyName} learns about you when you use this site, what it is used for, and what you can ask of us.',
  text: `## Information We Collect

We collect what you give us, and little else:

- Account: your name, your email address and a password. The password is stored only as a one-way hash.
- Application: your phone number and current address, the dates you ask for, and the names of a co-applicant and of other guests, with whether each is an adult.
- Lease: your signature or the signed copy that you upload. For a signature made on this site we also keep the time, the network address and the browser it came from, as evidence.
- Payments: amount, date, purpose, and the brand and last four digits of the card. Card numbers go to our card payment provider and never reach this site.
- Messages: what you write in the contact form, in messages about your stay, with their files, and in a review.
- Technical records: the devices that you log in with, when a door code was shown, and, for a short time, network addresses and times of requests, to keep the site running and safe.

## How We Use Information

We use it to run the rental, and for nothing else:

- to review applications, prepare and keep leases, and take payments;
- to send the emails that belong to them, such as receipts, changes of status and links to reset a password;
- to answer your questions;
- to protect accounts, and to meet our legal and tax duties.

## Sharing

We do not sell personal information, and there is no advertising or tracking by others on this site.

We share what is needed with the companies that carry out a part of the service for us: the card payment provider, and the service that delivers our email. We also share information where the law requires it.

## Data Security & Retention

Connections to this site are encrypted. Only you, whoever signs the lease with you, and the owner can see your application, lease and payments; whoever you give a link to your stay sees that page.

We keep leases and payment records for as long as the law and our accounts require, and other information only while it is needed. Copies in backups are overwritten in time. No system is perfectly secure; if something happens to your information, we will tell you.

This site sets no advertising cookies. Your browser keeps a login token while you are logged in, and your chosen dates until you close the tab.

## Your Choices

- You can see your details when logged in, and correct your name, phone number and address there.
- You can ask us for a copy of what we hold about you, or to correct or delete it. We will do so unless we must keep it, for example a signed lease.
- You do not need an account to read this site or to write to us.

## Contact

Questions about privacy: {companyName}, {ownerEmail}, {ownerPhone}. If this policy changes, the new one is published here with its date.`,
}

/** The shipped terms of service. */
export const shippedTerms: ContentDocument['privacy'] = {
  effective: 'September 2025',
  intro:
    'These terms apply when you use this site. Renting the condo is governed by the lease that you and the owner sign.',
  text: `## Use of the Site

You may use this site to learn about {propertyName}, to apply to rent it, and to manage your stay. You must be at least 18 years old to apply, and what you tell us must be true and complete.

Please do not try to reach information that is not yours, disturb the site, or use it for anything unlawful.

An application is a request. Sending one does not reserve the dates; a booking comes about with the approval and the signed lease.

## Accounts

Keep your password to yourself and tell us at {ownerEmail} if you think that somebody else knows it. You are responsible for what is done with your account. We may close an account that is used against these terms.

## Payments

All prices are in US dollars. Prices and estimates on the public pages are information; the amounts in your lease are the ones that count.

The security deposit and the rent are due as your lease says. Card payments carry a fee of {cardFee} of the amount, shown before you pay; other ways to pay carry none. Card payments are handled by a card payment provider under its own terms.

Refunds follow the lease and the law.

## Content and Intellectual Property

Text, pictures and design of this site belong to {companyName} or to those who gave us the right to use them. You may look at them and print them for your own use, not copy them for other purposes.

What you upload stays yours. You let us store and use it to handle your application and lease.

## Disclaimer

We keep this site with care, but offer it as it is. We cannot promise that it is always reachable or free of mistakes, and availability and rates may change until a lease is signed. As far as the law allows, we are not liable for damage that comes from using the site. Nothing here limits rights that the law or your lease gives you.

## Changes

We may change these terms. The new version is published here with its date, and applies to what you do after that. A signed lease is not changed by it.

## Contact

Questions about these terms: {companyName}, {ownerEmail}, {ownerPhone}.`,
}
