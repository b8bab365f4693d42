import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { roles } from '../../src/domain/accounts/account-rules.ts'
import { factorKinds } from '../../src/domain/accounts/factor.ts'

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The e-mail in lower case; unique for each account. */
    emailKey: text('email_key').notNull(),
    /** Null until an invited guest sets a password. */
    passwordHash: text('password_hash'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    phone: text().notNull().default(''),
    role: text({ enum: roles }).notNull(),
    /**
     * When a mailed link or code first proved that the e-mail's mailbox belongs to the account; null while anybody could
     * have registered it.
     */
    mailboxProvenAt: text('mailbox_proven_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  t => [uniqueIndex('users_email_key').on(t.emailKey)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the bearer token, in hex. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: text('created_at').notNull(),
    lastUsedAt: text('last_used_at').notNull(),
    /** Identifies the session in the user's list of sessions; not a credential. */
    publicId: text('public_id').notNull().default(''),
    /** Last proof with a code, passkey or recovery code. */
    factorAt: text('factor_at'),
    /** Last proof of any kind. */
    stepUpAt: text('step_up_at'),
    /** Wrong proofs since the last correct proof. */
    stepUpTries: integer('step_up_tries').notNull().default(0),
    /** IP address when the session began. */
    address: text(),
    userAgent: text('user_agent'),
    /**
     * Set when the user or a change of e-mail ends the session. The row stays so that the next request can be told why.
     */
    endedAt: text('ended_at'),
  },
  t => [index('sessions_user').on(t.userId), uniqueIndex('sessions_public_id').on(t.publicId)],
)

/** Second factors of an account. A factor without `confirmedAt` does not count yet. */
export const userFactors = sqliteTable(
  'user_factors',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text({ enum: factorKinds }).notNull(),
    label: text().notNull(),
    /** The secret of an authenticator app, encrypted with the installation's key and bound to this row. */
    secretEnc: text('secret_enc'),
    /** The time step of the last accepted code; codes of this or an earlier step are rejected. */
    lastStep: integer('last_step'),
    /** Credential id of a passkey, in base64url. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    counter: integer(),
    /** Whether the passkey is also stored outside the device. */
    backedUp: integer('backed_up', { mode: 'boolean' }),
    /** The host that the passkey was created for. */
    rpId: text('rp_id'),
    createdAt: text('created_at').notNull(),
    confirmedAt: text('confirmed_at'),
    lastUsedAt: text('last_used_at'),
  },
  t => [
    index('user_factors_user').on(t.userId),
    uniqueIndex('user_factors_totp').on(t.userId).where(sql`kind = 'totp'`),
    uniqueIndex('user_factors_credential').on(t.credentialId),
  ],
)

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    codeSha256: text('code_sha256').notNull(),
    createdAt: text('created_at').notNull(),
    usedAt: text('used_at'),
  },
  t => [primaryKey({ columns: [t.userId, t.codeSha256] })],
)

/** Challenges that a browser must answer once, within minutes. */
export const loginChallenges = sqliteTable(
  'login_challenges',
  {
    /** SHA-256 of the token, in hex; a random id for a mailed code. */
    id: text().primaryKey(),
    /** The second step of a login, creating a passkey, using a passkey, or proving the mailbox. */
    kind: text({ enum: ['second_step', 'passkey_setup', 'passkey_use', 'mailbox'] }).notNull(),
    /** Null if the passkey identifies the user. */
    userId: text('user_id').references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    tries: integer().notNull().default(0),
    usedAt: text('used_at'),
  },
  t => [index('login_challenges_user').on(t.userId), index('login_challenges_expiry').on(t.expiresAt)],
)

/** E-mail changes. A row that is both done and canceled was undone. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    newEmail: text('new_email').notNull(),
    oldEmail: text('old_email').notNull(),
    /** Whether the contact address on the user's applications changes too. */
    applicationsToo: integer('applications_too', { mode: 'boolean' }).notNull(),
    createdAt: text('created_at').notNull(),
    confirmedOldAt: text('confirmed_old_at'),
    confirmedNewAt: text('confirmed_new_at'),
    doneAt: text('done_at'),
    undoUntil: text('undo_until'),
    cancelledAt: text('cancelled_at'),
  },
  t => [index('email_changes_user').on(t.userId), index('email_changes_undo').on(t.undoUntil)],
)

/** Links that open a page without a login. A link opens nothing before it has a token. */
export const accessLinks = sqliteTable(
  'access_links',
  {
    id: text().primaryKey(),
    kind: text({
      enum: [
        'invitation',
        'password_reset',
        'site_preview',
        'email_old',
        'email_new',
        'email_undo',
        'not_me',
        'install',
        'stay',
        'message_reply',
        'review',
        'sign',
        'offer',
      ],
    }).notNull(),
    /**
     * What the link gives access to: the id of an application, account, e-mail change or login, or `draft` for a
     * preview of the site, or `site` for its installation. Of a guest's link a row of `stay_links`. Of a reply link:
     * the application and which of its messages. Of a link to sign: the signer.
     * Of an offer: the claim.
     */
    subjectId: text('subject_id').notNull(),
    /** Null for an installation, which makes the first person, and for a signer or an offer without an account. */
    personId: text('person_id').references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    revokedAt: text('revoked_at'),
    lastUsedAt: text('last_used_at'),
  },
  t => [
    index('access_links_subject').on(t.kind, t.subjectId, t.createdAt),
    index('access_links_person').on(t.personId),
  ],
)

/** The tokens of links: each attempt to deliver a mail makes one, and all of them work. The token is never stored. */
export const linkTokens = sqliteTable('link_tokens', {
  /** SHA-256 of the token, in hex. */
  id: text().primaryKey(),
  linkId: text('link_id')
    .notNull()
    .references(() => accessLinks.id),
})
