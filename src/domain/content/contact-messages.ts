export const contactMessages = {
  incomplete: 'Please fill in all required fields',
  sent: "Message sent successfully! We'll get back to you soon.",
  notReady: 'Email service is not ready. Please try again in a moment.',
  unavailable: (ownerEmail: string) =>
    `Contact service temporarily unavailable. Please email us directly at ${ownerEmail}`,
  failed: 'Failed to send message. Please try again or contact us directly.',
  noResponse: 'An error occurred while sending your message. Please try again.',
} as const

/** The outcome of a contact form that a browser sent itself; after a refusal with what was typed. */
export type ContactReply = { sent: true } | { error: string; values: Readonly<Record<string, string>> }
