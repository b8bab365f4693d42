import { baseStyle } from '../page.tsx'

/** The style sheet of the provider's pages; their content security policy contains its hash. */
export const pageStyle = `${baseStyle}
:root{--ink:#24364a;--muted:#5b6876;--line:#ddd5c5;--canvas:#f7f4ec;--sand:#efe6d4;--teal:#2b6b74;--foam:#e6f0ec;--red:#a3271f;--red-bg:#fbeeec}
body{min-height:100vh;display:flex;flex-direction:column}
.demo{background:var(--sand);border-bottom:1px solid var(--line);color:#5a421c}
.demo strong{font-weight:650}
main{flex:1;width:100%;max-width:1040px;margin:0 auto;padding:24px 16px 40px;display:grid;gap:20px;align-content:start}
.card{box-shadow:0 1px 2px rgb(30 53 82/.04),0 12px 32px -16px rgb(30 53 82/.18);padding:24px 20px}
.summary{background:var(--navy);border-color:var(--navy);color:#f3f0e8}
.merchant{font-size:14px;letter-spacing:.02em;color:#cfdad9;overflow-wrap:anywhere}
.summary .merchant{margin-bottom:4px}
.amount{font:500 40px/1.15 var(--serif);letter-spacing:-.01em;font-variant-numeric:lining-nums tabular-nums}
.lines{margin-top:20px;border-top:1px solid rgb(255 255 255/.18);display:grid}
.lines div{display:flex;justify-content:space-between;gap:16px;padding:12px 0;border-bottom:1px solid rgb(255 255 255/.12)}
.lines dt{min-width:0;overflow-wrap:anywhere}
.lines dd{white-space:nowrap;font-variant-numeric:tabular-nums}
.lines .total{border-bottom:0;padding-bottom:0;font-weight:650}
.receipt .lines{border-color:var(--line)}
.receipt .lines div{border-color:#ece6da}
.receipt .merchant{color:var(--muted)}
h1.title{font:500 26px/1.25 var(--serif);color:var(--navy)}
form{display:grid;gap:16px}
label,legend{display:block;font-size:14px;font-weight:600;color:var(--navy);padding:0}
.field{display:grid;gap:6px;min-width:0}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}
input[type=text],input[type=email]{width:100%;min-height:46px;padding:10px 12px;border:1px solid #bfb7a6;border-radius:9px;background:#fff;color:var(--ink);font:16px/1.4 var(--sans);font-variant-numeric:tabular-nums}
input[readonly]{background:var(--canvas);color:var(--muted);border-color:var(--line)}
input[aria-invalid=true]{border-color:var(--red);background:var(--red-bg)}
.hint{font-size:13px;color:var(--muted)}
fieldset{border:0;margin:0;padding:0;min-width:0}
.methods{display:grid;gap:10px;margin-top:6px}
.methods label{display:flex;align-items:center;gap:10px;min-height:48px;padding:10px 14px;border:1px solid var(--line);border-radius:9px;cursor:pointer;font-size:15px}
.methods label:has(:checked){border-color:var(--teal);background:var(--foam);box-shadow:inset 0 0 0 1px var(--teal)}
.methods label:only-child{grid-column:1/-1}
.methods input{width:18px;height:18px;margin:0;accent-color:var(--teal);flex:none}
.for-card,.for-bank{display:grid;gap:16px}
form:has(#method-bank:checked) .for-card,form:not(:has(#method-bank:checked)) .for-bank{display:none}
.error{background:var(--red-bg);border:1px solid #e7bcb7;border-left:4px solid var(--red);border-radius:9px;padding:12px 14px;color:#7c1c15;font-weight:600}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:48px;padding:10px 20px;border-radius:9px;border:1px solid #bfb7a6;background:#fff;color:var(--navy);font:600 16px/1.2 var(--sans);text-decoration:none;cursor:pointer;transition:background-color .15s}
button:hover,.button:hover{background:var(--canvas)}
.primary{background:var(--navy);border-color:var(--navy);color:#fff;width:100%}
.primary:hover{background:#2a4463}
details{border-top:1px solid var(--line);padding-top:14px;font-size:14px}
summary{min-height:28px}
details li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px;padding:6px 0;border-bottom:1px solid #f0ebe0}
code{font:13.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--navy);overflow-wrap:anywhere}
.notice{max-width:520px;width:100%;margin:32px auto 0;text-align:center;display:grid;gap:14px;justify-items:center;padding:36px 24px}
.receipt{max-width:560px;width:100%;margin:8px auto 0}
.receipt .amount{color:var(--navy);margin:2px 0 4px}
.receipt .facts{display:grid;gap:14px 24px;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));margin-top:20px}
.facts dt{font-size:13px;color:var(--muted)}
.facts dd{overflow-wrap:anywhere}
.stamp{display:inline-block;border-radius:99px;padding:3px 12px;font-size:13px;font-weight:650;background:var(--foam);color:#1d5a45}
.stamp.back{background:#eef0f3;color:#3d4b5c}
footer{padding:0 16px 28px;text-align:center;font-size:13px;color:var(--muted)}
@media (min-width:820px){
  main{padding:48px 24px 56px}
  main.checkout{grid-template-columns:minmax(0,5fr) minmax(0,6fr);gap:28px;align-items:start}
  .card{padding:32px}
  .amount{font-size:48px}
}
@media (min-width:480px){.methods{grid-template-columns:2fr 3fr}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media print{.demo,footer{display:none}.card{box-shadow:none;border:0}}
`
