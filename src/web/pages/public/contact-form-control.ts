import { zodResolver } from '@hookform/resolvers/zod'
import { createFormControl } from 'react-hook-form'
import { contactForm } from '../../../domain/content/contact.ts'

/** The contact form without its inputs, which takes their text when they are registered. */
export const makeContactForm = () =>
  createFormControl({ resolver: zodResolver(contactForm), shouldFocusError: false })
