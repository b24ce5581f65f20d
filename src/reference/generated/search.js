/*!
This file contains:

*/
var d=new Set(h(`
am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so that the
there this to too us use using want was we what whats when where which who why will with would you your
`)),k=new Set(h(`
api call code data endpoint error fail field header http list message name parameter pet request response return server
statuscode type url value
`).map(p));function h(t){return t.trim().split(/\s+/)}function g(t){if(k.has(p(t)))return 0.4;return/^[45]\d\d$/.test(t)?1.5:1}var v=`
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
`);function m(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((e)=>{let s=e.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((r)=>r!=="");return(s.length>1?[s.join(""),...s]:s).map((r)=>r.toLowerCase())})}function p(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var O=Map.groupBy(v.flatMap((t)=>t.split(" ").map((e)=>({stem:p(e),line:t}))),({stem:t})=>t);function y(t){return(O.get(p(t))??[]).flatMap(({line:s})=>s.split(" "))}function u(t,e,s){if(t===e)return!0;let[o,r]=[t.slice(1),e.slice(1)];if(t[0]===e[0])return u(o,r,s);if(s===0)return!1;let i=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[o,e],[t,r],[o,r],[i,e]].some(([n,c])=>u(n,c,s-1))}var E=12,T=0.25,N=0.5;function z(t){let e=b(t);return(s)=>e(s).map(({text:o,...r})=>{let a=`${r.title}: ${o}`.split(/(?<=[.,:;]) /).map((c)=>({...r,title:"",words:"",text:c})),n=o.indexOf(b(a)(s)[0]?.text??"");return{...r,text:n>0?`… ${o.slice(n)}`:o}})}function b(t){let e=_(t);return(s)=>{let o=new Map(t.map((i)=>[i,0]));for(let i of I(s,e)){let a=s.toLowerCase().endsWith(i),n=new Map;for(let[l,f]of Y(i,a,e))for(let[x,M]of e.get(l)??[])S(n,x,M*f);let c=Math.log(1+t.length/n.size);for(let[l,f]of n)o.set(l,(o.get(l)??0)+f*c*g(i))}let r=Math.max(...o.values());return[...o].filter(([,i])=>i>r*T).sort(([,i],[,a])=>a-i).slice(0,E).map(([i])=>i)}}function _(t){let e=new Map,s=(r,i,a)=>{for(let n of[r,p(r)]){let c=e.get(n)??new Map;S(c,i,a),e.set(n,c)}},o=(r,i,a)=>{for(let n of r){s(n,i,a);for(let c of y(n))s(c,i,a*N)}};for(let r of t)for(let i of[r.title,...r.words.split(" "),r.text]){let a=m(i),n=1/Math.sqrt(a.length);for(let[c="",...l]of a)o([c],r,n),o(l,r,n/Math.sqrt(l.length))}return e}function S(t,e,s){t.set(e,Math.max(s,t.get(e)??0))}function I(t,e){let s=t.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),o=m(s).flatMap(([n="",...c])=>c.length===0||e.has(n)?[n]:c),r=o.filter((n)=>n.length>1&&!d.has(n)),i=r.filter((n)=>g(n)>=1),a=[2,3].flatMap((n)=>[...w(o,n),...w(i,n)]);return[...(r.length>0?r:o).flatMap((n)=>R(n,e)),...new Set(a.flatMap((n)=>n.find((c)=>e.has(c))??[]))]}function w(t,e){return t.slice(e-1).map((s,o)=>{let r=t.slice(o,o+e-1).join("");return[r+s,r+p(s)]})}function R(t,e){if(e.has(t)||e.has(p(t)))return[t];for(let s=3;s<t.length-1;s++){let o=[t.slice(0,s),t.slice(s)];if(o.every((r)=>e.has(r)))return o}return[t]}function Y(t,e,s){let o=p(t),r=(a)=>(n)=>t.length>4*a&&t[0]===n[0]&&u(t,n,a),i=[[0.9,(a)=>a===t||a===o],[0.8,(a)=>e&&a.startsWith(t)],[0.8,r(1)],[0.4,r(2)]];for(let[a,n]of i){let c=[...s.keys()].filter(n);if(c.length>0)return c.flatMap((l)=>[[l,l===t?1:a],[p(l),a]])}return[]}export{z as newSearch};
