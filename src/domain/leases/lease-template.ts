/*
 * The lease that the site ships with. The owner edits it in the browser, at Site, Lease wording. Have a local lawyer
 * review it before anybody signs it.
 *
 * - It is plain text between the two lines with a single ` mark. Leave those two lines unchanged, and do not use that
 *   mark, a backslash, or a dollar sign followed by a brace in the text.
 * - A line may have any length; it is wrapped in print. An empty line stays an empty line.
 * - A line such as `4. RENT` (a number, a period, capital letters) is printed as a heading.
 *   A line that begins with `- ` is printed as a list item.
 * - {{words in double braces}} are placeholders, filled in for every lease. Move them as you like; lease-text.ts lists
 *   their meanings. The server does not start with an unknown placeholder, or without a required one.
 *   A line with only a placeholder that has no value is removed, with the empty line after it.
 * - A change applies to leases generated after a restart of the server. A stored lease keeps its text.
 */
export const leaseTemplate = `
This short-term residential lease (the "Agreement") is made between the Landlord and the Tenant named below. It takes effect when the Tenant has signed it.

Application number: {{applicationNumber}}

1. PARTIES

Landlord: {{landlordName}}
Contact: {{landlordContact}}

Tenant: {{tenantNames}}

Where two Tenants are named, each of them is bound by the whole of this Agreement, and each is responsible, together and alone, for all of the rent and all other duties of the Tenant.

2. PREMISES

The Landlord rents to the Tenant the furnished condominium {{propertyName}}, {{propertyAddress}}, with its furniture, fittings and household equipment (the "Premises"), for use as a temporary private home.

3. TERM

The term begins on {{startDate}} and ends on {{endDate}}, which is {{nights}}. It ends on that day without any notice. It is renewed or extended only by another written agreement. The Tenant receives the times of arrival and departure and the means of entry from the Landlord before the first day.

4. RENT

{{rentTerms}}

Rent for the whole term: {{termRent}}
How it adds up: {{termRentSum}}

{{charges}}

{{paymentSchedule}}

The rent is due before the first day of the term, unless the Landlord has agreed to other dates in writing. It may be paid by any method that the Landlord offers. Where a method carries a fee, the fee is shown before the payment is made and is paid by the Tenant.

5. SECURITY DEPOSIT

The Tenant pays a security deposit of {{deposit}}. Together with {{rentAndCharges}}, {{totalDue}} is due under this Agreement.

The Landlord holds the deposit against unpaid rent, missing items, damage beyond ordinary wear, and cleaning beyond what a normal stay requires. After the Tenant has left, the Landlord returns the deposit, less any such amounts with a written list of them, within the time that the law of the place of the Premises sets, and within 30 days at the latest. The deposit is not the last payment of rent.

6. OCCUPANTS

Only the persons named here may live at the Premises, {{occupantCount}} in all:

{{occupants}}

The Premises sleep {{guestLimit}}. Nobody else may stay overnight without the Landlord's written consent. Day visitors are welcome as long as the Tenant is present, the rules of the building allow it, and the neighbors are not disturbed. The adult occupants look after the minors at all times, in particular near water, on balconies and in elevators.

7. USE AND HOUSE RULES

{{houseRules}}

8. NO SMOKING

The Premises are non-smoking. Smoking and vaping of any substance are not permitted inside the Premises, on the balcony, or in the common areas of the building. Candles, incense and open fire are not permitted either. The Tenant pays the cost of removing smoke, odor and burns.

9. CARE OF THE PREMISES, THE BUILDING AND THE BEACH

The Tenant keeps the Premises clean and in good order, takes out the garbage, and uses the furniture and appliances as they are meant to be used. Nothing is altered, painted, or drilled into. Windows and balcony doors are closed and locked when nobody is in, and in storms, rain and strong wind.

Sand is rinsed off before entering the building. Wet towels are not hung over balcony rails. The beach, dunes, plants and wildlife are protected: the Tenant keeps to the marked paths, takes everything back from the beach each evening, leaves no trash and makes no fire there, and keeps lights away from nesting animals. Posted warnings and flags at the beach are followed. There may be no lifeguard.

10. UTILITIES AND SERVICES

The rent includes electricity, water, garbage collection, air conditioning and internet access in the amount of normal household use. The Landlord is not responsible for interruptions of these services that are beyond the Landlord's control, but has them restored as soon as possible.

11. CONDITION, MAINTENANCE AND REPAIRS

The Tenant looks over the Premises on the day of arrival and tells the Landlord within 24 hours of anything that is missing, damaged or unsafe. The Landlord keeps the Premises fit to live in and repairs what wears out or fails at no cost to the Tenant. The Tenant reports leaks, faults and damage at once, and pays for damage caused by the Tenant, the other occupants or their visitors beyond ordinary wear. Smoke and carbon monoxide alarms are never covered or disconnected.

12. ENTRY BY THE LANDLORD

The Landlord or a person sent by the Landlord may enter at reasonable times to inspect, repair, or show the Premises after giving notice of at least 24 hours, or longer where the law requires it. In an emergency that threatens people or property no notice is needed.

13. CANCELLATION AND EARLY DEPARTURE

The Tenant cancels by writing to the Landlord. If the Landlord receives the cancellation 30 days or more before the first day of the term, everything paid is returned. If it is received later, or if the Tenant leaves early, rent is returned for those nights for which the Landlord finds another tenant; the Landlord makes a reasonable effort to find one. The deposit is returned in each of these cases as section 5 says.

If the Premises cannot be lived in because of a storm, fire, flood, an order of evacuation or another cause outside the control of both parties, rent is returned for every night that the Tenant could not use. If the Landlord cannot provide the Premises for any other reason, everything paid for the nights not used is returned.

14. LIABILITY AND INSURANCE

The Tenant uses the Premises, the beach and the common areas with due care. The Landlord is not responsible for the loss or theft of the Tenant's belongings, unless the Landlord caused it. Nothing in this Agreement excludes liability that the law does not allow to be excluded. The Landlord's insurance does not cover the Tenant's belongings; the Tenant is advised to take out renter's or travel insurance.

15. BREACH

If the Tenant does not pay what is due, or seriously or repeatedly breaks this Agreement, the Landlord may end it after a written notice and the time to put things right that the law provides. The Landlord does not lock the Tenant out and does not remove the Tenant's belongings except as the law allows.

16. END OF THE STAY

On the last day of the term the Tenant leaves the Premises reasonably clean and empty of personal belongings, with the dishes washed and the garbage taken out, returns all keys, cards and parking passes, and locks the doors. For each night that the Tenant stays on without consent, the Tenant owes rent for that night and the loss that it causes.

17. GOVERNING LAW

The law of the place where the Premises are governs this Agreement. Rights that this law gives to a residential tenant and that cannot be given up by contract are not limited by anything in it. If a part of this Agreement is not valid, the rest remains in force.

18. ELECTRONIC SIGNATURES

The parties agree that this Agreement may be made and signed electronically, and that an electronic signature, typed or drawn, has the same effect as one written by hand. Nobody has to sign electronically: the Tenant may print this Agreement, sign it by hand, and upload a scan of it. When it is signed electronically, the signatures stand on the page that follows this text, together with a certificate of who signed, when and how, and the Tenant can download the signed document at any time.

19. ENTIRE AGREEMENT

This is the entire agreement between the parties about the Premises. Changes are valid only in writing and with the consent of both parties. Notices are given in writing; email is enough.

20. SIGNATURES

By signing, the Tenant confirms having read this Agreement and agrees to all of it. The Landlord made this offer by preparing the Agreement for the Tenant and is bound by it when the Tenant has signed. Signatures by hand stand here, electronic ones on the page that follows.

{{signatureLines}}
`
