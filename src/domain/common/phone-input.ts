import { z } from 'zod'
import { isPhone } from './phone.ts'

/** A required phone number, kept as entered. */
export const phoneText = z
  .string({ error: 'Phone number is required' })
  .trim()
  .min(1, 'Phone number is required')
  .max(40, 'Please enter a valid phone number')
  .refine(phone => phone === '' || isPhone(phone), 'Please enter a valid phone number')
