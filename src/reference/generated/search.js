/*!
This file contains:

*/
var g=new Set("am an and any are as at be by can did do does find for from get getting has have how if in is it just make many me mean my need no not of on only or please should so that the there this to too use using want was we what when where which who why will with would you your".split(" ")),w=`
add create insert post new
address url endpoint path route host
again repeat retry
authentication authorization auth login signin credential password
ban block blacklist unban unblock
bulk batch multiple
client library sdk package wrapper
compress gzip
day daily
delete remove destroy erase
deprecate obsolete sunset eol
duplicate twice double
error failure failed exception problem
example sample demo
expire expiry lifetime ttl
get fetch read retrieve
integer int64 bigint long number
key token secret credential
left remaining
limit quota throttle cap
list all
log trace debug correlation
maximum max largest limit
outage down downtime maintenance uptime
page pagination cursor
permission scope role
plan tier subscription
price cost pay billing
search find filter query
size length long
sort order
staging sandbox test
start begin tutorial quickstart
status state availability
support help contact
time date timestamp clock
update edit modify patch put replace rename
wait delay backoff
webhook event notify callback
`.trim().split(`
`);function f(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((n)=>{let r=n.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((a)=>a!=="");return(r.length>1?[r.join(""),...r]:r).map((a)=>a.toLowerCase())})}function l(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var S=Map.groupBy(w.flatMap((t)=>t.split(" ").map((n)=>({stem:l(n),line:t}))),({stem:t})=>t);function u(t){return(S.get(l(t))??[]).flatMap(({line:r})=>r.split(" "))}function p(t,n,r){if(t===n)return!0;let[s,a]=[t.slice(1),n.slice(1)];if(t[0]===n[0])return p(s,a,r);if(r===0)return!1;let e=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[s,n],[t,a],[s,a],[e,n]].some(([i,c])=>p(i,c,r-1))}var b=12,x=0.25,M=0.5;function v(t){let n=O(t);return(r)=>{let s=new Map;for(let e of k(r,n)){let o=new Map;for(let i of N(e,n)){let c=n.get(i)??new Map,h=Math.log(1+t.length/c.size);for(let[d,y]of c)m(o,d,y*h)}for(let[i,c]of o)s.set(i,(s.get(i)??0)+c)}let a=Math.max(...s.values());return[...s].filter(([,e])=>e>=a*x).sort(([,e],[,o])=>o-e).slice(0,b).map(([e])=>e)}}function O(t){let n=new Map,r=(s,a,e)=>{for(let o of[s,l(s)]){let i=n.get(o)??new Map;m(i,a,e),n.set(o,i)}};for(let s of t)for(let a of[s.title,...s.words.split(" "),s.text]){let e=f(a).flat(),o=1/Math.sqrt(e.length);for(let i of e){r(i,s,o);for(let c of u(i))r(c,s,o*M)}}return n}function m(t,n,r){t.set(n,Math.max(r,t.get(n)??0))}function k(t,n){let r=f(t).flatMap(([e="",...o])=>o.length===0||n.has(e)?[e]:o),s=r.filter((e)=>e.length>1&&!g.has(e)),a=r.slice(1).map((e,o)=>r[o]+l(e));return[...(s.length>0?s:r).flatMap((e)=>E(e,n)),...a.filter((e)=>n.has(e))]}function E(t,n){if(n.has(t)||n.has(l(t)))return[t];for(let r=3;r<t.length-1;r++){let s=[t.slice(0,r),t.slice(r)];if(s.every((a)=>n.has(a)))return s}return[t]}function N(t,n){let r=l(t),s=(e)=>(o)=>[t,r].some((i)=>i.length>3*e&&i[0]===o[0]&&p(i,o,e)),a=[(e)=>e===t||e===r,(e)=>e.startsWith(t),s(1),s(2)];for(let e of a){let o=[...n.keys()].filter(e);if(o.length>0)return o}return[]}export{v as newSearch};
