/*!
This file contains:

*/
var d=new Set("am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have how if im in is it just make many me mean my need no not of off on one only or our out over please should so that the there this to too us use using want was we what whats when where which who why will with would you your".split(" ")),x=new Set("api call code data endpoint error fail field header http list message name parameter pet request response return server statuscode type url value".split(" ").map(p));function g(t){if(x.has(p(t)))return 0.4;return/^[45]\d\d$/.test(t)?1.5:1}var M=`
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
https tls ssl certificate
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
`);function m(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((e)=>{let s=e.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((r)=>r!=="");return(s.length>1?[s.join(""),...s]:s).map((r)=>r.toLowerCase())})}function p(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var v=Map.groupBy(M.flatMap((t)=>t.split(" ").map((e)=>({stem:p(e),line:t}))),({stem:t})=>t);function h(t){return(v.get(p(t))??[]).flatMap(({line:s})=>s.split(" "))}function u(t,e,s){if(t===e)return!0;let[a,r]=[t.slice(1),e.slice(1)];if(t[0]===e[0])return u(a,r,s);if(s===0)return!1;let i=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[a,e],[t,r],[a,r],[i,e]].some(([n,c])=>u(n,c,s-1))}var k=12,O=0.25,E=0.5;function R(t){let e=T(t);return(s)=>{let a=new Map(t.map((i)=>[i,0]));for(let i of N(s,e)){let o=s.toLowerCase().endsWith(i),n=new Map;for(let[l,f]of q(i,o,e))for(let[w,S]of e.get(l)??[])b(n,w,S*f);let c=Math.log(1+t.length/n.size);for(let[l,f]of n)a.set(l,(a.get(l)??0)+f*c*g(i))}let r=Math.max(...a.values());return[...a].filter(([,i])=>i>r*O).sort(([,i],[,o])=>o-i).slice(0,k).map(([i])=>i)}}function T(t){let e=new Map,s=(r,i,o)=>{for(let n of[r,p(r)]){let c=e.get(n)??new Map;b(c,i,o),e.set(n,c)}},a=(r,i,o)=>{for(let n of r){s(n,i,o);for(let c of h(n))s(c,i,o*E)}};for(let r of t)for(let i of[r.title,...r.words.split(" "),r.text]){let o=m(i),n=1/Math.sqrt(o.length);for(let[c="",...l]of o)a([c],r,n),a(l,r,n/Math.sqrt(l.length))}return e}function b(t,e,s){t.set(e,Math.max(s,t.get(e)??0))}function N(t,e){let s=t.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),a=m(s).flatMap(([n="",...c])=>c.length===0||e.has(n)?[n]:c),r=a.filter((n)=>n.length>1&&!d.has(n)),i=r.filter((n)=>g(n)>=1),o=[2,3].flatMap((n)=>[...y(a,n),...y(i,n)]);return[...(r.length>0?r:a).flatMap((n)=>_(n,e)),...new Set(o.flatMap((n)=>n.find((c)=>e.has(c))??[]))]}function y(t,e){return t.slice(e-1).map((s,a)=>{let r=t.slice(a,a+e-1).join("");return[r+s,r+p(s)]})}function _(t,e){if(e.has(t)||e.has(p(t)))return[t];for(let s=3;s<t.length-1;s++){let a=[t.slice(0,s),t.slice(s)];if(a.every((r)=>e.has(r)))return a}return[t]}function q(t,e,s){let a=p(t),r=(o)=>(n)=>t.length>4*o&&t[0]===n[0]&&u(t,n,o),i=[[0.9,(o)=>o===t||o===a],[0.8,(o)=>e&&o.startsWith(t)],[0.8,r(1)],[0.4,r(2)]];for(let[o,n]of i){let c=[...s.keys()].filter(n);if(c.length>0)return c.flatMap((l)=>[[l,l===t?1:o],[p(l),o]])}return[]}export{R as newSearch};
