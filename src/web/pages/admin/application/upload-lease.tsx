import { useEffect, useRef } from 'react'
import { uploadLeaseAsAdmin } from '../../../features/leases/lease-files.ts'
import { UploadBox } from '../../../features/leases/upload-box.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'

type UploadLeaseProps = { application: Application; onClose: () => void }

/** Uploads a scan of a lease that was signed on paper. */
export function UploadLease({ application, onClose }: UploadLeaseProps) {
  const invalidate = useInvalidateApplication()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box} className="border-t border-line pt-4">
      <UploadBox
        label="Lease signed on paper"
        send={uploadLeaseAsAdmin(application.id)}
        onUploaded={async () => {
          await invalidate()
          onClose()
        }}
        onCancel={onClose}
      />
    </div>
  )
}
