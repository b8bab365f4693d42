import type { ContentDocument } from '../../../domain/content/content.ts'

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
