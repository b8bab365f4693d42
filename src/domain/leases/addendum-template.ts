/*
 * The addendum that the site ships with; see lease-template.ts for the rules of such a text, and addendum-text.ts for its
 * placeholders. The owner edits it in the browser. Have a local lawyer review it before anybody signs it.
 */
export const addendumTemplate = `
Addendum No. {{number}} to the lease agreement {{applicationNumber}}

1. PARTIES AND LEASE

Landlord: {{landlordName}}
Tenant: {{tenantNames}}
Premises: {{propertyName}}, {{propertyAddress}}

This addendum changes the lease agreement between the Landlord and the Tenant. It takes effect when the Tenant has signed it.

2. CHANGED TERMS

{{changes}}

3. WHAT IT CHANGES IN WHAT IS DUE

{{lines}}

{{newSum}}

{{payments}}

4. EVERYTHING ELSE

Everything else in the lease stays as it is. This is the lease whose text has the SHA-256 {{leaseSha256}}.

5. SIGNATURES

By signing, the Tenant confirms having read this addendum and agrees to it. The Landlord made this offer by preparing the addendum and is bound by it when the Tenant has signed. Signatures by hand stand here, electronic ones on the page that follows.

{{signatureLines}}
`
