import { safetyMessages } from '../../../domain/account-safety-messages.ts'
import { api, type FailureTexts, type Outputs, refusalOr } from '../../api/api.ts'
import { type Proof, ProofForm } from '../../features/factors/proof-form.tsx'
import { type BegunSession, isSessionExpired } from '../../session/session.tsx'

export type LoginChallenge = Exclude<Outputs['accounts']['login'], BegunSession>

type SecondStepProps = {
  challenge: LoginChallenge
  texts: FailureTexts
  /** Keeps the session; returns a sentence when this person may not sign in here. */
  onSession: (session: BegunSession) => Promise<string | undefined>
  /** Back to the password, with the reason where it is not the person's wish. */
  onBack: (message?: string) => void
}

/** The second step of a login, after a right password. */
export function SecondStep({ challenge: { challenge, methods }, texts, onSession, onBack }: SecondStepProps) {
  const { client } = api.useUtils()

  const sendCode = async (code: Exclude<Proof, { credential: unknown }>) => {
    try {
      return await client.factors.challenge.mutate({ challenge, ...code })
    } catch (error) {
      // The challenge has expired, or was tried too often.
      if (!isSessionExpired(error)) throw error
      onBack(refusalOr(error, safetyMessages.loginAgain))
      return undefined
    }
  }
  const prove = async (proof: Proof) => {
    const session =
      'credential' in proof ? await client.factors.passkeyLogin.mutate(proof) : await sendCode(proof)
    const refusal = session && (await onSession(session))
    if (refusal) onBack(refusal)
  }
  return (
    <ProofForm
      methods={methods}
      onProof={prove}
      texts={texts}
      submitLabel="Sign In"
      busyLabel="Signing in..."
      cancelLabel="Back to login"
      onCancel={() => onBack()}
    />
  )
}
