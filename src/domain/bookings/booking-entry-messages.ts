export const maxEntryPayments = 20
export const unprovenApplicantMessage =
  'Nobody has confirmed its e-mail yet, so make sure that you know who applied.'
export const adminEmailMessage = 'This is an administrator’s e-mail.'
export const hasPasswordMessage = 'This guest has a password already.'
export const noMailMessage =
  'No mail server is set up, so nobody can be invited yet. Save without an invitation, and invite the guest later.'
export const registeredMessage =
  'Somebody registered this e-mail. To correct it, delete the booking and enter it again.'
export const deadInvitationMessage =
  'This invitation is no longer valid. Please ask the owner for a new one, or use “Forgot password”.'
