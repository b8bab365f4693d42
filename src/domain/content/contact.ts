import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { contactMessages } from './contact-messages.ts'

const maxMessageLength = 5000

/** Line breaks become spaces, because the text becomes one line of a mail. */
const oneLine = (line: string) => line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const text = z.string({ error: contactMessages.incomplete })
const optional = z.string().nullish()
const filled = z.string().trim().min(1, contactMessages.incomplete)

/** The contact form. */
export const contactForm = z.object({
  name: text.transform(oneLine).pipe(filled.max(100, 'Please keep the name under 100 characters')),
  email: text.pipe(filled).pipe(emailText),
  phone: optional
    .transform(given => oneLine(given ?? '') || 'Not provided')
    .pipe(z.string().max(50, 'Please keep the phone number under 50 characters')),
  subject: optional
    .transform(given => oneLine(given ?? '') || 'Contact Form Submission')
    .pipe(z.string().max(150, 'Please keep the subject under 150 characters')),
  message: text
    .pipe(filled)
    .pipe(z.string().max(maxMessageLength, 'Please keep the message under 5,000 characters')),
  /** Honeypot: hidden from people, so a message that fills it comes from a bot and is dropped. */
  website: z.string().max(500).nullish(),
})
export type ContactMessage = z.output<typeof contactForm>
