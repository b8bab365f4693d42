import { noBreak } from '../../../domain/common/no-break.ts'

/** Joins texts with dots. When they wrap, no line starts or ends with a dot. */
export const Dotted = ({ parts }: { parts: readonly string[] }) => (
  <span className="flex flex-wrap gap-x-[0.65em] overflow-x-clip">
    {parts.map((part, at) => (
      <span key={part} className="relative min-w-0">
        {at > 0 && <span className="absolute right-full whitespace-pre"> · </span>}
        {noBreak(part)}
      </span>
    ))}
  </span>
)
