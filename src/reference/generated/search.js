/*!
This file contains:

*/
var g=new Set(`
am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so some that the
there this to too us use using want was we what whats when where which who why will with would you your
`.trim().split(/\s+/));function m(t){if(["api-","pet-"].includes(l(t)))return 0.4;return/^[45]\d\d$/.test(t)?1.5:1}var S=`
add create insert post new save
address url endpoint path route host
again repeat retry resend
authentication authorization auth login signin credential password
ban block blacklist unban unblock
bulk batch multiple
client library sdk package wrapper
compress gzip
console dashboard portal admin
day daily
delete remove destroy erase
deprecate obsolete sunset eol discontinue
duplicate twice double
error failure failed exception problem
example sample demo snippet
expire expiry lifetime ttl
fake mock dummy
get fetch read retrieve show view lookup
https tls ssl certificate cert
image photo picture avatar
integer int int64 bigint long number
key token secret credential
large big huge
left remaining
limit quota throttle cap
list all
malformed syntax parse
log trace debug correlationid
maximum max largest limit
order buy purchase checkout cart
outage down downtime maintenance uptime
page pagination cursor
permission scope role privilege
pet animal
plan tier subscription
price cost pay billing refund
require mandatory
revoke suspend disable deactivate
rotate renew regenerate
schema model
search find filter query
size length long
sort order
staging sandbox test
start begin tutorial quickstart guide
status state availability
support help contact
time date timestamp clock epoch
update edit modify patch put replace rename overwrite upsert
version semver
wait delay backoff
webhook event notify notification callback
`.trim().split(`
`);function f(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((e)=>{let s=e.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((n)=>n!=="");return(s.length>1?[s.join(""),...s]:s).map((n)=>n.toLowerCase())})}function l(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var x=Map.groupBy(S.flatMap((t)=>t.split(" ").map((e)=>({stem:l(e),line:t}))),({stem:t})=>t);function d(t){return(x.get(l(t))??[]).flatMap(({line:s})=>s.split(" "))}function u(t,e,s){if(t===e)return!0;let[a,n]=[t.slice(1),e.slice(1)];if(t[0]===e[0])return u(a,n,s);if(s===0)return!1;let r=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[a,e],[t,n],[a,n],[r,e]].some(([i,c])=>u(i,c,s-1))}var M=12,k=0.25,O=0.5;function q(t){let e=h(t);return(s)=>e(s).map(({text:a,...n})=>{let o=`${n.title}: ${a}`.split(/(?<=[.,:;]) /).map((c)=>({...n,title:"",words:"",text:c})),i=a.indexOf(h(o)(s)[0]?.text??"");return{...n,text:i>0?`… ${a.slice(i)}`:a}})}function h(t){let e=v(t);return(s)=>{let a=new Map(t.map((r)=>[r,0]));for(let r of E(s,e)){let o=new Map;for(let[c,p]of _(r,e))for(let[b,w]of e.get(c)??[])y(o,b,w*p);let i=Math.log(1+t.length/o.size);for(let[c,p]of o)a.set(c,(a.get(c)??0)+p*i*m(r))}let n=Math.max(...a.values());return[...a].filter(([,r])=>r>n*k).sort(([,r],[,o])=>o-r).slice(0,M).map(([r])=>r)}}function v(t){let e=new Map,s=(n,r,o)=>{for(let i of[n,l(n)]){let c=e.get(i)??new Map;y(c,r,o),e.set(i,c)}},a=(n,r,o)=>{for(let i of n){s(i,r,o);for(let c of d(i))s(c,r,o*O)}};for(let n of t)for(let r of[n.title,...n.words.split(" "),n.text]){let o=f(r),i=1/Math.sqrt(o.length);for(let[c="",...p]of o)a([c],n,i),a(p,n,i/Math.sqrt(p.length))}return e}function y(t,e,s){t.set(e,Math.max(s,t.get(e)??0))}function E(t,e){let s=t.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),a=f(s).flat().filter((o)=>!/^(?:an?|the|my|your)$/.test(o)),n=a.filter((o)=>!/^(?:.|\d\d)$/.test(o)&&!g.has(o)),r=[2,3].flatMap((o)=>N(a,o));return[...(n.length>0?n:a).flatMap((o)=>T(o,e)),...new Set(r.flatMap((o)=>o.find((i)=>e.has(i))??[]))]}function N(t,e){return t.slice(e-1).map((s,a)=>{let n=t.slice(a,a+e-1).join("");return[n+s,l(n+s)].filter((r)=>r.length>n.length+1)})}function T(t,e){if(e.has(t)||e.has(l(t)))return[t];for(let s=3;s<t.length-1;s++){let a=[t.slice(0,s),t.slice(s)];if(a.every((n)=>e.has(n)))return a}return[t]}function _(t,e){let s=l(t),a=(r)=>(o)=>t.length>4*r&&u(t,o,r),n=[[0.9,(r)=>r===t||r===s],[0.8,(r)=>r.startsWith(t)],[0.8,a(1)],[0.4,a(2)]];for(let[r,o]of n){let i=[...e.keys()].filter(o);if(i.length>0)return i.flatMap((c)=>[[c,c===t?1:r],[l(c),r]])}return[]}export{q as newSearch};
