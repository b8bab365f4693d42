import { createRoot } from 'react-dom/client'
import { DesignPage } from './design-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the document has no #root')
createRoot(root).render(<DesignPage />)
