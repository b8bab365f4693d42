import { bareNumber, formatPhone } from '../../../domain/common/phone.ts'
import { classNames } from '../../ui/class-names.ts'

type ContactLinkProps = { className?: string }

/** An email address that opens a new email. */
export const EmailLink = ({ email, className }: ContactLinkProps & { email: string }) => (
  <a href={`mailto:${email}`} className={classNames('link', className)}>
    {email}
  </a>
)

/** A phone number that can be called; a dash if there is none. */
export const PhoneLink = ({ phone, className }: ContactLinkProps & { phone: string }) =>
  phone ? (
    <a href={`tel:${bareNumber(phone)}`} className={classNames('link whitespace-nowrap', className)}>
      {formatPhone(phone)}
    </a>
  ) : (
    '–'
  )
