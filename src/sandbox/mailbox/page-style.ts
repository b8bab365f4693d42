import { baseStyle } from '../page.tsx'

/** The style sheet of the mailbox pages, in the colors of the site. */
export const pageStyle = `${baseStyle}
:root{--ink:#1d2b3c;--muted:#556070;--line:#e1d9ca;--canvas:#faf8f3;--sand:#f3eee4;--foam:#e3f0ea}
.demo{background:#e2d2b5;color:#3f2d10}
main{max-width:960px;margin:0 auto;padding:24px 16px 48px}
.top{display:flex;flex-wrap:wrap;align-items:end;justify-content:space-between;gap:8px 24px;margin-bottom:18px}
h1{font:500 28px/1.25 var(--serif);color:var(--navy);overflow-wrap:anywhere;min-width:0}
.top p{color:var(--muted);font-size:15px}
.top nav{display:flex;gap:20px}
.top nav a,.back{display:inline-flex;align-items:center;min-height:44px;font-weight:600;font-size:15px}
.card{box-shadow:0 1px 2px rgb(30 53 82/.05),0 4px 16px -6px rgb(30 53 82/.1);overflow:hidden}
.mails li+li{border-top:1px solid var(--line)}
.mails a{display:grid;gap:2px 20px;padding:14px 18px;color:inherit;text-decoration:none}
.mails a:hover{background:var(--sand)}
.mails a:focus-visible{outline-offset:-3px}
.mails .subject{font-weight:600;color:var(--navy);overflow-wrap:anywhere;min-width:0}
.mails .to,.mails time{color:var(--muted);font-size:14px;overflow-wrap:anywhere}
.clip{font-weight:400;font-size:13px;color:var(--teal);background:var(--foam);border-radius:99px;padding:1px 9px;margin-left:8px;white-space:nowrap}
.empty{padding:56px 24px;text-align:center;display:grid;gap:6px;justify-items:center}
.empty p:first-child{font:500 20px/1.3 var(--serif);color:var(--navy)}
.empty p+p{color:var(--muted);max-width:34em}
.facts{display:grid;gap:6px 20px;padding:16px 18px;border-bottom:1px solid var(--line)}
.facts div{display:flex;gap:12px}
.facts dt{color:var(--muted);font-size:14px;line-height:24px;flex:0 0 76px}
.facts dd{overflow-wrap:anywhere;min-width:0}
.files{display:flex;flex-wrap:wrap;gap:8px}
.files a{display:inline-flex;align-items:center;min-height:36px;padding:4px 14px;border:1px solid #a3c9bc;border-radius:99px;background:var(--foam);font-size:14px;font-weight:600;text-decoration:none}
iframe{display:block;width:100%;height:900px;border:0;background:#f3eee4}
details{border-top:1px solid var(--line);padding:8px 18px}
summary{min-height:40px;line-height:40px}
pre{margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (min-width:720px){
  main{padding:40px 24px 64px}
  .mails a{grid-template-columns:minmax(0,1fr) minmax(0,210px) 200px;align-items:center}
  .mails time{text-align:right;white-space:nowrap}
  h1{font-size:34px}
}
`
