/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var y,Ke,hn,O,xe,oe,We,ee,ze,Ee,we,gn,j=Symbol.for("pv"),se={},ie=[],yn=/^m(i|n|o|s|text|space)$/,Ae=Array.isArray,Xe=ie.slice,H=Object.assign;function q(e){e&&e.parentNode&&e.remove()}function te(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:j,__v:s||++Ke,__i:-1,__u:0};return!s&&y.vnode&&y.vnode(o),o}function A(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function C(e,t){if(t==null)return e.__&&C(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:C(e)}function bn(e){var t,n=e.__v,r=n.__e,s=[],o=[],i=e.__P;i&&((t=H({constructor:j},n)).__v=n.__v+1,y.vnode&&y.vnode(t),Te(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,s,r||C(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,rt(s,t,o),n.__=n.__e=null,t.__e!=r&&Qe(t))}function Qe(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Qe(e)}function Ye(e){(8&e.__g||(e.__g|=8,O.push(e),oe++))&&xe==y.debounceRendering||((xe=y.debounceRendering)||queueMicrotask)(Ze)}function Ze(){try{for(var e,t=1;O.length;)O.length>t&&O.sort(We),e=O.shift(),t=O.length,8&e.__g&&bn(e)}finally{(oe=O.length)&&(xe||queueMicrotask)(Ze)}}function et(e,t,n,r,s,o,i,a,p,d,c){var m,f,l,_,b,h,v=r.__k||ie,g=t.length;for(p=vn(n,t,v,p,g),m=0;m<g;m++)(l=n.__k[m])!=null&&(f=~l.__i&&v[l.__i]||se,l.__i=m,h=Te(e,l,f,s,o,i,a,p,d,c),_=l.__e,(f.ref!=l.ref||8&f.__u)&&(f.ref&&ke(f.ref,null,l,f),l.ref&&c.push(l.ref,l.__c||_,l)),b=b||_,4&l.__u?(p=tt(l,p,e,!f.__v),f.__e&&(f.__e=null)):typeof l.type=="function"&&h!==void 0?p=h:_&&(p=_.nextSibling),l.__u&=-21);return n.__e=b,p}function vn(e,t,n,r,s){var o,i,a,p,d,c,m,f,l,_=n.length,b=_,h=0,v=0,g=e.__k=Array(s);for(o=0;o<s;o++)(i=t[o])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=g[o]=te(null,i):Ae(i)?i=g[o]=te(A,{children:i}):i.constructor===j&&i.__b?i=g[o]=te(i.type,i.props,i.key,i.ref,i.__v):g[o]=i,p=o+h,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=Sn(i,n,p,b))&&(b--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==p-1?h--:d==p+1?h++:d!=p&&(d>p?h--:h++,v=1)):(~d||(s>_?h--:s<_&&h++),typeof i.type!="function"&&(i.__u|=4))):g[o]=null;if(v){for(c=[],m=[],o=0;o<s;o++)if((i=g[o])&&16&i.__u){for(h=0,f=c.length;h<f;)c[l=h+f>>1]<i.__i?h=l+1:f=l;c[h]=i.__i,m[o]=h+1}for(h=c.length;o--;)m[o]&&(m[o]==h?h--:g[o].__u|=4)}if(b)for(o=0;o<_;o++)!(a=n[o])||2&a.__u||(a.__e==r&&(r=C(a)),Re(a,a));return r}function tt(e,t,n,r){var s,o,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=tt(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=C(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Sn(e,t,n,r){var s,{key:o,type:i}=e,a=t[n],p=a&&!(2&a.__u);if(a===null&&o==null||p&&o==a.key&&i==a.type)return n;if(r>(p?1:0)){for(s=n-1;s>=0;s--)if((a=t[s])&&!(2&a.__u)&&o==a.key&&i==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&o==a.key&&i==a.type)return s}return-1}function Je(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,r,s){var o,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Je(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Je(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=we[t]||(we[t]=xn(t)),(e.__a||(e.__a={}))[t]=Ee,o=t!=(t=t.replace(ze,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,o):e.removeEventListener(t,i,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(a){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function xn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=Ee++;else if(t[ee]<this.__a[e])return;return n(y.event?y.event(t):t)}}}function Te(e,t,n,r,s,o,i,a,p,d){var c,m,f,l,_,b,h,v,g,E,S,Se,Ve,Q,M,Ge,I,L,R=t.type;if(t.constructor!==j)return null;128&n.__u&&(p=32&n.__u,c=n.__c.__z)&&(t.__u|=p,m=o=[],c.nodeType==8?a=re(c,o):o.push(c),a=o[0]||a),(c=y.__b)&&c(t);e:if(typeof R=="function"){f=i.length;try{if(v=t.props,g=(c=R.prototype)&&c.render,E=(c=R.contextType)&&r[c.__c],S=c?E?E.props.value:c.__:r,(l=n.__c)?(t.__c=l,2&l.__g&&(l.__g|=1)):(g?t.__c=l=new R(v,S):(t.__c=l=new ne(v,S),l.constructor=R,l.render=En),E&&E.sub(l),l.state||(l.state={}),l.__n=r,l.__g|=8,l.__h=[],l.__k=[]),g&&(l.__s||(l.__s=l.state),R.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=H({},l.__s)),H(l.__s,R.getDerivedStateFromProps(v,l.__s)))),_=l.props,b=l.state,l.__v=t,n.__c){if(v!==_&&g&&!R.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(v,S),t.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(v,l.__s,S)===!1){t.__v!=n.__v&&(l.props=v,l.state=l.__s,l.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(k){k&&(k.__=t)}),ie.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),a=C(n);break e}l.componentWillUpdate&&l.componentWillUpdate(v,l.__s,S),g&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(_,b,h)})}else g&&!R.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),g&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=S,l.props=v,l.__P=e,l.__g&=-5,Se=y.__r,Ve=g?25:0;do l.__g&=-9,Se&&Se(t),c=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++Ve<25);g&&(ie.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(r=H({},r,l.getChildContext())),g&&n.__c&&l.getSnapshotBeforeUpdate&&(h=l.getSnapshotBeforeUpdate(_,b)),Q=c&&c.type===A&&c.key==null?c.props.children:c,v.__P&&(c=a,s=(e=v.__P).namespaceURI,p=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(k){k&&Re(k,k)}),n.__k=null),a=n.__k?C(n,0):null),a=et(e,Ae(Q)?Q:[Q],t,n,r,s,o,i,a,p,d),v.__P&&(t.__e=null,a=c),t.__u&=-161,m&&m.some(q),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(k){if(i.length=f,t.__v=null,p||o)if(k&&k.then){if(t.__u|=128|p,o){for(~(I=o.indexOf(a||void 0))||(I=o.length);(L=o[I-1])&&L.nodeType==8;)I--;for(;I<o.length;I++)if(L=o[I])if(o[I]=null,M){if(L==Ge)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(Ge=re(M=L))}}if(!M){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;M=a}(c=re(M=t.__c.__z||(t.__c.__z=M)))?(t.__e=M,a=c):t.__e=a,a=a&&a.nextSibling}else o&&o.some(q);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),k&&k.then||nt(t),y.__e(k,t,n)}}else a=t.__e=wn(n.__e,t,n,r,s,o,i,p,d,e);return(c=y.diffed)&&c(t),a}function re(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function nt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(nt))}function rt(e,t,n){for(var r=0;r<n.length;)ke(n[r++],n[r++],n[r++]);y.__c&&y.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){y.__e(o,s.__v)}})}function wn(e,t,n,r,s,o,i,a,p,d){var c,m,f,l,_,b,h,v,g=n.props||se,{props:E,type:S}=t;if(S=="svg"?s="http://www.w3.org/2000/svg":S=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(c=0;c<o.length;c++)if((_=o[c])&&(S?_.localName==S:_.nodeType==3)){e=_,o[c]=null;break}}if(!e){if(v=d.ownerDocument||document,!S)return v.createTextNode(E);e=v.createElementNS(s,S,E.is?E:d),a&&(y.__m&&y.__m(t,o),a=!1),o=null}if(S){if(d=S=="template"&&e.content||e,o=S=="textarea"&&E.defaultValue!=null?null:o&&Xe.call(d.childNodes),!a&&o)for(g={},c=0;c<e.attributes.length;c++)g[(_=e.attributes[c]).name]=_.value;for(c in g)_=g[c],c=="dangerouslySetInnerHTML"?f=_:c=="children"||(c in E)||c=="value"&&("defaultValue"in E)||c=="checked"&&("defaultChecked"in E)||Z(e,c,null,_,s);for(c in E)_=E[c],c=="children"?l=_:c=="dangerouslySetInnerHTML"?m=_:c=="value"?b=_:c=="checked"?h=_:a&&typeof _!="function"||g[c]===_||Z(e,c,_,g[c],s);m?(a||f&&(m.__html==f.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(f&&(e.textContent=""),(S=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&yn.test(S))&&(s="http://www.w3.org/1999/xhtml"),et(d,Ae(l)?l:[l],t,n,r,s,o,i,o?o[0]:n.__k&&C(n,0),a,p),o&&o.some(q)),a&&S!="textarea"||(c="value",S=="progress"&&b==null?e.removeAttribute(c):b==null||b===e[c]&&(S!="progress"||b)||Z(e,c,b,g[c],s),c="checked",h!=null&&h!=e[c]&&Z(e,c,h,g[c],s))}else g===E||a&&e.data==E||(e.data=E);return e}function ke(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){y.__e(s,n)}}function Re(e,t,n){var r,s,o,i;if(y.unmount&&y.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||ke(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){y.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Re(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=re(r,o=[]))&&(r==e.__e&&o.some(q),q(s),q(r)),n||q(e.__e),e.__e=e.__c=e.__=null}function En(e,t,n){return this.constructor(e,n)}function An(e,t){var n,r,s,o;y.__&&y.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=te(A,{children:[e]}),s=[],o=[],Te(t,t.__k,r||se,se,t.namespaceURI,r?null:t.firstChild?Xe.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),rt(s,t.__k,o),t.__k.props.children=null}function ot(e,t){e&&typeof e=="object"&&(e.__u|=32),An(e,t)}y={__e:function(e,t,n,r){for(var s,o,i;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw oe=0,e}},Ke=0,hn=function(e){return e!=null&&e.constructor===j},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=H({},this.state)),typeof e=="function"&&(e=e(H({},n),this.props)),e&&(H(n,e),this.__v&&(t&&this.__k.push(t),Ye(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ye(this))},ne.prototype.render=A,O=[],oe=0,We=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),ze=/(PointerCapture)$|Capture$/i,Ee=0,we={},gn=0;var G,w,Ne,st,Ie=Object.is,ae=0,_t=[],Oe=[],x=y,{__b:it,__r:at,diffed:lt,__c:ct,unmount:ut,__:pt}=x;function Pe(e,t){x.__h&&x.__h(w,e,ae||t),ae=0;var n=w.__H||(w.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function T(e){return ae=1,Tn(ht,e)}function Tn(e,t,n){var r=Pe(G++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ht(void 0,t),function(o){var i=(r.__N||r.__)[0],a=r.t(i,o);Ie(i,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=w,!w.__f)){w.__f=!0;var s=w.shouldComponentUpdate;w.shouldComponentUpdate=function(o,i,a){var p=this.__H;if(!p)return!0;var d=!1,c=this.props!=o;if(p.__.some(function(f){f.__N&&(d=!0,Ie(f.__[0],f.__N[0])||(c=!0))}),s){var m=s.call(this,o,i,a);return d?m||c:m}return!d||c}}return r.__}function D(e,t){var n=Pe(G++,4);!x.__s&&mt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,w.__h.push(n))}function le(e){return ae=5,kn(function(){return{current:e}},[])}function kn(e,t){var n=Pe(G++,7);return mt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Rn(){var e;do{for(;e=Oe.shift();)try{V(e)}catch(n){x.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=_t.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(V),t.__h.some(Ce),t.__h=[]}catch(n){t.__h=[],x.__e(n,e.__v)}}}while(Oe.length)}x.__b=function(e){w=null,it&&it(e)},x.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),pt&&pt(e,t)},x.__r=function(e){at&&at(e),G=0;var t=(w=e.__c).__H;t&&(Ne==w?w.__h=[]:(t.__h.some(V),t.__h.some(Ce),G=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ne=w},x.diffed=function(e){lt&&lt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ft(_t.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ne=w=null},x.__c=function(e,t){t.some(function(n){try{n.__h.some(V),n.__h=n.__h.filter(function(r){return!r.__||Ce(r)})}catch(r){n.__h=[function(){throw r}]}}),ct&&ct(e,t)},x.unmount=function(e){ut&&ut(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,ft(Oe.push(s))}else V(s)}catch(o){t=o}}),r.__H=void 0,t&&x.__e(t,r.__v))};var dt=typeof requestAnimationFrame=="function";function Nn(e){var t,n=function(){clearTimeout(r),dt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);dt&&(t=requestAnimationFrame(n))}function ft(e){e!=1&&st==x.requestAnimationFrame||((st=x.requestAnimationFrame)||Nn)(Rn)}function V(e){var t=w,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),w=t}function Ce(e){var t=w;e.__c=e.__(),w=t}function mt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Ie(n,e[r])})}function ht(e,t){return typeof t=="function"?t(e):t}var Y="/v1";var ce="/docs/errors";var gt="/docs/changes";var yt="/docs/search.json";var bt="/client.tgz",qr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Y}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var In=Symbol.for("pv"),On=0;function u(e,t,n,r,s,o){t||(t={});var i,a,p=t;if("ref"in p&&typeof e!="function")for(a in p={},t)a=="ref"?i=t[a]:p[a]=t[a];var d={type:e,props:p,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:In,__v:--On,__i:-1,__u:0};return(s||o)&&(d.__source=s,d.__self=o),y.vnode&&y.vnode(d),d}function J({language:e,code:t}){return u("pre",{class:"code",tabIndex:0,children:u("code",{children:Mn(e,t).map(({kind:n,text:r})=>n===void 0?r:u("span",{class:`code-${n}`,children:r}))})})}function ue({what:e="code"}){return u("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",u("span",{class:"hidden",children:[" ",e]})]})}var Cn=Me({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),vt=Me({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),Pn={curl:vt,sh:vt,http:Me({name:/^[\w-]+(?=:)/})};function Me(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function Mn(e,t){let n=[],r=0;for(let{0:s,index:o,groups:i={}}of t.matchAll(Pn[e]??Cn)){if(o>r)n.push({text:t.slice(r,o)});n.push({kind:Object.keys(i).find((a)=>i[a]!==void 0),text:s}),r=o+s.length}if(r<t.length)n.push({text:t.slice(r)});return n}function pe(e){return`'${e.replaceAll("'","'\\''")}'`}function St(e,t){return e.split(`
`).flatMap((n)=>{let r=[n];for(let[s,o=""]of n.matchAll(/\{\{(\w+)\}\}/g)){let i=t[o];if(i===void 0)throw Error(`There is no value for ${s}.`);if(typeof i==="object"&&!Array.isArray(i))continue;let a=[i].flat();r=r.flatMap((p)=>a.map((d)=>p.replace(s,()=>`${d}`)))}return r}).join(`
`)}var xt=`# curl

## A request

\`\`\`sh
curl -X {{method}} \\
  {{url}} \\
  {{options}} \\
  -i --fail-with-body
\`\`\`

## Every page

\`\`\`sh
url={{url}}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done
\`\`\`

## A request with retries

\`\`\`sh
send() {
  curl -X {{method}} \\
    {{url}} \\
    {{options}} \\
    -isS -m 30 -w '\\n%{http_code}'
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | {{retried}}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]
\`\`\`
`;var wt=`# JavaScript

## A request

\`\`\`js
const response = await fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);
\`\`\`

## Every page

\`\`\`js
let url = {{url}};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
\`\`\`

## A request with retries

\`\`\`js
const send = () => fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
  signal: AbortSignal.timeout(30_000),
});

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [{{retried}}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
\`\`\`
`;var Et=`# Go

## A request

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	{{bodyPackage}}
)

func main() {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
\`\`\`

## Every page

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := {{url}}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}
\`\`\`

## A request with retries

\`\`\`go
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	{{bodyPackage}}
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		return wait, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := client.Do(request)
	if err != nil {
		return wait, err
	}
	defer response.Body.Close()
	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)

	body, err := io.ReadAll(response.Body)
	if err != nil {
		return wait, err
	}
	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case {{retried}}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}
\`\`\`
`;var At=`# Python

## A request

\`\`\`python
import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
\`\`\`

## Every page

\`\`\`python
import json
import os
import re
import urllib.error
import urllib.request

url = {{url}}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]
\`\`\`

## A request with retries

\`\`\`python
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in ({{retried}}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)
\`\`\`
`;var Rt=-(2n**63n),Nt=2n**63n-1n,zr=`must be an integer from ${Rt} to ${Nt}`,Dn=/^(?:0|-?[1-9][0-9]{0,18})$/,Un=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var Tt=/[1-9]/;function kt(e){if(!Dn.test(e))return;let t=BigInt(e);return t>=Rt&&t<=Nt?t:void 0}function It(e){let t=kt(e);if(t!==void 0)return t;let n=Un.exec(e),[,r,s="",o="",i="0"]=n,a=s+o,p=a.search(Tt);if(p===-1)return 0n;let d=s.length+Number(i);if(d<=p||d-p>19||Tt.test(a.slice(d)))return;return kt(r+a.slice(p,d).padEnd(d-p,"0"))}class fe extends Error{name="JsonSyntaxError"}var Ot=64,Bn=1000,$e=34,Fn=92,jn=32,Vn=57,Le=/[ \n\r\t]*/y,Pt="\\u0000-\\u001F",Ct=new RegExp(`[${Pt}]`,"g"),Gn=new RegExp(`[\\\\${Pt}]`),de=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function Mt(e,t=1/0){return new Lt(e,t).parse()}class Lt{text;maxValues;#e=0;#a=-1;constructor(e,t){this.text=e;this.maxValues=t}parse(){let e=this.#o(1);if(this.#e<this.text.length)this.#n("expected the end");return e}#n(e){throw new fe(`is not valid JSON: ${e} at character ${this.#e+1}`)}#r(){if(this.text.charCodeAt(this.#e)>jn)return;Le.lastIndex=this.#e,Le.test(this.text),this.#e=Le.lastIndex}#t(e){if(!this.text.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#s(){let e=this.text,t=this.#e,n=e.indexOf('"',t+1);if(e[n-1]==="\\")n=Yn(e,t+1);if(n===-1)this.#i(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!Gn.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#i(t,this.#e,"a string has an invalid escape")}}#i(e,t,n){Ct.lastIndex=e;let r=Ct.exec(this.text)?.index??t;this.#e=Math.min(r,t),this.#n(r<t?"a string has an unescaped control character":n)}#l(){if(de.lastIndex=this.#e,!de.test(this.text))this.#n("expected a value");let e=this.text.slice(this.#e,de.lastIndex);return this.#e=de.lastIndex,It(e)??(e.length>Bn?Number.NaN:Number(e))}#c(e){let t=[];if(this.#r(),this.#t("]"))return t;do t.push(this.#o(e));while(this.#t(","));if(!this.#t("]"))this.#n('expected "," or "]"');return t}#u(e){let t=Object.create(null);if(this.#r(),this.#t("}"))return t;do{if(this.#r(),this.text.charCodeAt(this.#e)!==$e)this.#n("expected the name of a field in double quotes");let n=this.#e,r=this.#s();if(r in t)this.#e=n,this.#n("a field is repeated");if(this.#r(),!this.#t(":"))this.#n('expected ":"');t[r]=this.#o(e)}while(this.#t(","));if(!this.#t("}"))this.#n('expected "," or "}"');return t}#o(e){if(e>Ot)throw new fe(`is nested deeper than ${Ot} levels`);if(++this.#a>this.maxValues)throw new fe(`has more than ${this.maxValues} values`);this.#r();let t,n=this.text.charCodeAt(this.#e);if(n===$e)t=this.#s();else if(n<=Vn)t=this.#l();else if(this.#t("{"))t=this.#u(e+1);else if(this.#t("["))t=this.#c(e+1);else if(this.#t("true"))t=!0;else if(this.#t("false"))t=!1;else if(this.#t("null"))t=null;else this.#n("expected a value");return this.#r(),t}}function Yn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===$e)return n;if(r===Fn)n++}return-1}function _e(e,t){return JSON.stringify(e,(n,r)=>Jn(r),t)}function Jn(e){if(typeof e!=="bigint")return e;let t=Number(e);return Number.isSafeInteger(t)?t:JSON.rawJSON(String(e))}var qe=[408,429,502,503,504];function K({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(o,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),s=new URLSearchParams(n.query);return`${e}${r}${s.size>0?`?${s}`:""}`}function U({values:e,otherBody:t}){return t??(e.body&&_e(e.body))}function W(e){let t=Object.entries(e.values.header);if(U(e)!==void 0)t.push(["Content-Type","application/json"]);return t}var me=/^-?(?:0|[1-9][0-9]*)$/,Kn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function z(e){return JSON.stringify(e).replace(Kn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function P(e){return`'${z(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var $t=F("curl","curl",xt,(e)=>{let t=U(e),n=['-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...W(e).map((r)=>`-H ${pe(r.join(": "))}`)];if(t!==void 0)n.push(`--data-raw ${pe(t)}`);return{url:pe(K(e)),retried:qe.join(" | "),options:n}}),he=F("fetch","JavaScript",wt,(e)=>He(e,P)),qt=F("python","Python",At,(e)=>He(e,z)),Ht=F("go","Go",Et,(e)=>{let t=U(e);return{...He(e,z,", "),bodyPackage:t===void 0?[]:'"strings"',bodyReader:t===void 0?"nil":`strings.NewReader(${Wn(t)})`}});function He(e,t,n=": "){let r=U(e);return{url:t(K(e)),headers:W(e).map((s)=>s.map(t).join(n)),body:r===void 0?[]:P(r)}}function Wn(e){let t=z(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}function F(e,t,n,r){let s=Array.from(n.matchAll(/^```\w+\n(.*?)\n```$/gms),([,p=""])=>p),[o,i,a]=s.map((p)=>(d)=>St(p,{method:d.method,retried:qe.join(", "),...r(d)}));return{id:e,title:t,request:o,pageLoop:i,retryLoop:a}}var Dt=`# TypeScript

## A request

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`

## Every page

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);
\`\`\`

## A request with retries

\`\`\`ts
// The client waits, backs off and repeats for you.
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`
`;var Ut=F("typescript","TypeScript",Dt,(e)=>{let{operation:t,baseUrl:n,values:r}=e;return{package:n.slice(0,-Y.length)+bt,baseUrl:P(n),call:Xn[t](r)}}),jt={...Ut,request:(e)=>e.otherBody===void 0?Ut.request(e):`// The client sends only pets. Other JSON needs fetch.
${he.request(e)}`},Xn={listPets({query:e}){return`const page = await store.listPets(${Ft(e,Bt)});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Ft(e,Vt),r=t["Idempotency-Key"],s=r===void 0?"":`, { idempotencyKey: ${P(r)} }`;return`const pet = await store.createPet(${n}${s});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Bt(e.petId??"")});
console.log(pet); // undefined if there is none`};function Bt(e){return me.test(e)?Vt(BigInt(e)):P(e)}function Vt(e){if(typeof e==="string")return P(e);return Number.isSafeInteger(Number(e))?`${e}`:`${e}n`}function Ft(e,t){let n=Object.entries(e).map(([r,s])=>`  ${r}: ${t(s)},
`);return n.length===0?"":`{
${n.join("")}}`}var X=[$t,jt,he,qt,Ht];var Qn=["bad","neutral","good","info","warning","bad"];function Gt({status:e,title:t}){return u("span",{class:`badge status ${Qn[Math.floor(e/100)]}`,children:t??e})}function Yt({outcome:e,isSending:t}){let{title:n,status:r=0,note:s,body:o,headers:i,errorCode:a}=e;return u("div",{class:"response","aria-busy":t,children:[u("div",{class:"line",children:[u("span",{role:"status",children:t?"Sending…":u(A,{children:[u(Gt,{status:r,title:n})," ",u("span",{class:"note",children:s})]})}),o&&u(ue,{what:"response"})]}),a!==void 0&&u("p",{class:"error-code",children:["Error"," ",u("a",{href:`.${ce}#${a}`,children:u("code",{children:a})}),": what it means and what to do"]}),o&&u(J,{language:"json",code:Zn(o)}),i!==void 0&&u("details",{children:[u("summary",{children:["Headers ",u("span",{class:"note",children:i.length})]}),u(J,{language:"http",code:i.map(([p,d])=>`${p}: ${d}`).join(`
`)})]})]})}function Zn(e){try{return _e(Mt(e),2)}catch{return e}}class De extends EventTarget{storage;name;#e;constructor(e,t){super();this.storage=e;this.name=t;this.#e=Jt(()=>e().getItem(t))??""}get value(){return this.#e}set(e){this.#e=e,Jt(()=>this.storage().setItem(this.name,e)),this.dispatchEvent(new Event("change"))}}var B=new De(()=>sessionStorage,"animal-store.key"),Ue=new De(()=>localStorage,"animal-store.language");function Be(e){let[t,n]=T();return D(()=>{let r=()=>n(e.value);e.addEventListener("change",r),r()},[e]),t}function Jt(e){try{return e()}catch{return}}var er=/#(\w+)>; rel="help"/,tr=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Kt(e){let[t,n]=T(e),[r,s]=T(!1),o=le(void 0);return{outcome:t,isSending:r,sendOrCancel:async(a)=>{if(o.current!==void 0)return o.current.abort();o.current=new AbortController,s(!0);let{signal:p}=o.current;await or(a(),p),n(await Wt(a(),p)),s(!1),o.current=void 0}}}async function Wt(e,t){let{method:n}=e,r=W(e);if(B.value!=="")r.push(["Authorization",`Bearer ${B.value}`]);let s=performance.now();if(r.some(([,o])=>/[^\x20-\x7e]/.test(o)))return{title:"Not sent",note:nr};try{let o=await fetch(K(e),{method:n,headers:r,signal:t,body:U(e)??null,cache:"no-store",credentials:"omit"}),i=await ir(o,s);if(o.ok)sr(n==="POST",i.body);return i}catch(o){if(!t.aborted)return{title:"No response",note:`${rr} ${o}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var nr="A header may contain only ASCII characters. Check your API key.",rr="The service cannot be reached from this page. Check your connection and the headers.",ge="nothing",zt=()=>document.querySelector("[data-place=path]");async function or(e,t){let[n="",r]=e.path.split("/{"),s=zt(),o=ge==="nothing"&&s?.value===s?.defaultValue;if(r===void 0||!o||B.value==="")return;ge="listed",await Wt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function sr(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=zt();if(n===void 0||r===null||ge==="added"&&!e)return;ge=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function ir(e,t){let{status:n,statusText:r,headers:s}=e,o=await e.text(),i=s.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${ar(s)}`,body:o,headers:[...s],nextAfter:tr.exec(i)?.[1],errorCode:er.exec(i)?.[1]}}function ar(e){let[t,n,r]=["Limit","Remaining","Reset"].map((o)=>e.get(`X-RateLimit-${o}`));if(!r)return"";let s=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${s}`}function Qt({request:e,example:t}){let n=le(null),r=()=>n.current?.closest("form"),[s,o]=T(e),{outcome:i,isSending:a,sendOrCancel:p}=Kt(t),{nextAfter:d}=i,c=r()?.querySelector("[name=after]");return D(()=>{let m=r();if(!m)return;let f=()=>o(Xt(m,e));m.addEventListener("input",f),m.addEventListener("submit",(l)=>{l.preventDefault(),f(),p(()=>Xt(m,e))}),f()},[]),u("div",{class:"panel",ref:n,children:[u(en,{codeOf:(m)=>m.request(s)}),u("div",{class:"line send needs-script",children:[u("button",{type:"submit",onClick:(m)=>m.detail>1&&m.preventDefault(),children:[a?"Cancel":"Send",u("span",{class:"hidden",children:[" ",s.operation]})]}),u(lr,{})]}),u(Yt,{outcome:i,isSending:a}),d&&c&&u("p",{children:u("button",{type:"button",class:"secondary",onClick:()=>{c.value=d,r()?.requestSubmit()},children:"Next page"})})]})}function Zt({loop:e,request:t}){let[n,r]=T(t.baseUrl);return D(()=>r(tn()),[]),u("div",{class:"panel",children:u(en,{codeOf:(s)=>s[e]({...t,baseUrl:n})})})}function lr(){let e=Be(B)??"";return u("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>B.set(cr(t.value))})}function cr(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}function en({codeOf:e}){let t=Be(Ue),n=X.find(({id:s})=>s===t)??X[0],r=t===void 0?X:[n];return u(A,{children:[u("div",{class:"line needs-script",children:[u("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:s})=>Ue.set(s.value),children:X.map(({id:s,title:o})=>u("option",{value:s,children:o},s))}),u(ue,{})]}),r.map((s)=>u(A,{children:[u("p",{class:"language",children:s.title}),u(J,{language:s.id,code:e(s)})]},s.id))]})}function Xt(e,t){let n=structuredClone(t.values);for(let{name:s,value:o,dataset:i}of e.querySelectorAll("[data-place]")){let a=n[i.place]??{},p=o.trim(),d=a===n.body?i.type:"string",c=d==="integer"&&me.test(p);if(a[s]=c?BigInt(p):d==="boolean"?p==="true":p,p==="")delete a[s]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:tn(),values:n,otherBody:r}}function tn(){return location.origin+new URL(`..${Y}`,import.meta.url).pathname}var nn=`am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so some that the
there this to too us use using want was we what whats when where which who why will with would you your
`;var rn=`add create insert post new save
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
`;var on=new Set(nn.split(/\s+/));function sn(e){if(["api-","pet-"].includes(N(e)))return 0.4;return/^[45]\d\d$/.test(e)?1.5:1}var dr=rn.trim().split(`
`);function Fe(e){return(e.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((t)=>{let n=t.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((s)=>s!=="");return(n.length>1?[n.join(""),...n]:n).map((s)=>s.toLowerCase())})}function N(e){return`${e.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var fr=Map.groupBy(dr.flatMap((e)=>e.split(" ").map((t)=>({stem:N(t),line:e}))),({stem:e})=>e);function an(e){return(fr.get(N(e))??[]).flatMap(({line:n})=>n.split(" "))}function ye(e,t,n){if(e===t)return!0;let[r,s]=[e.slice(1),t.slice(1)];if(e[0]===t[0])return ye(r,s,n);if(n===0)return!1;let o=e.slice(1,2)+e.slice(0,1)+e.slice(2);return[[r,t],[e,s],[r,s],[o,t]].some(([a,p])=>ye(a,p,n-1))}var _r=12,mr=0.25,hr=0.5;function ln(e){let t=gr(e);return(n)=>{let r=new Map(e.map((o)=>[o,0]));for(let o of yr(n,t)){let i=new Map;for(let[p,d]of Sr(o,t))for(let[c,m]of t.get(p)??[])cn(i,c,m*d);let a=Math.log(1+e.length/i.size);for(let[p,d]of i)r.set(p,(r.get(p)??0)+d*a*sn(o))}let s=Math.max(...r.values());return[...r].filter(([,o])=>o>s*mr).sort(([,o],[,i])=>i-o).slice(0,_r).map(([o])=>o)}}function gr(e){let t=new Map,n=(r,s,o)=>{for(let i of[r,...an(r)])for(let a of[i,N(i)]){let p=t.get(a)??new Map;cn(p,s,i===r?o:o*hr),t.set(a,p)}};for(let r of e)for(let s of[r.title,...r.words.split(" "),r.text]){let o=Fe(s),i=1/Math.sqrt(o.length);for(let[a="",...p]of o){n(a,r,i);for(let d of p)n(d,r,i/Math.sqrt(p.length))}}return t}function cn(e,t,n){e.set(t,Math.max(n,e.get(t)??0))}function yr(e,t){let n=e.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),r=Fe(n).flat().filter((i)=>!/^(?:an?|the|my|your)$/.test(i)),s=r.filter((i)=>!/^(?:.|\d\d)$/.test(i)&&!on.has(i)),o=[2,3].flatMap((i)=>br(r,i));return[...(s.length>0?s:r).flatMap((i)=>vr(i,t)),...new Set(o.flatMap((i)=>i.find((a)=>t.has(a))??[]))]}function br(e,t){return e.slice(t-1).map((n,r)=>{let s=e.slice(r,r+t-1).join("");return[s+n,N(s+n)].filter((o)=>o.length>s.length+1)})}function vr(e,t){if(t.has(e)||t.has(N(e)))return[e];for(let n=3;n<e.length-1;n++){let r=[e.slice(0,n),e.slice(n)];if(r.every((s)=>t.has(s)))return r}return[e]}function Sr(e,t){let n=N(e),r=(o)=>(i)=>e.length>4*o&&ye(e,i,o),s=[[0.9,(o)=>o===e||o===n],[0.8,(o)=>o.startsWith(e)],[0.8,r(1)],[0.4,r(2)]];for(let[o,i]of s){let a=[...t.keys()].filter(i);if(a.length>0)return a.flatMap((p)=>[[p,p===e?1:o],[N(p),o]])}return[]}function un({root:e}){let[t,n]=T(""),[r,s]=T(),[o,i]=T("Loading…");D(Er,[]);let a=async()=>{if(r!==void 0)return;try{let c=await fetch(new URL(e+yt.slice(1),location.href)),m=ln(await c.json());s(()=>m)}catch{i("Search is not available. Reload the page to try again.")}},p=r?.(t)??[],d=()=>{n(""),document.activeElement.blur()};return u("search",{class:"search needs-script",onKeyDown:(c)=>c.key==="Escape"?d():xr(c),children:[u("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:c})=>n(c.value),onFocus:a}),u("div",{class:"search-list",hidden:t==="",children:[p.map(({title:c,place:m,text:f,href:l})=>u("a",{href:e+l,tabIndex:0,onClick:d,children:[u("b",{children:c}),u("span",{class:"note",children:m}),u("span",{class:"search-text note",children:f})]},l)),u("p",{role:"status",class:"note",children:r===void 0?o:wr(p)})]})]})}function xr(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function wr({length:e}){return e===1?"1 result":`${e||"No"} results`}function Er(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:s,altKey:o,target:i}=t;if(n!=="/"||r||s||o)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}function pn({name:e,columns:t,rows:n}){return u("table",{role:"table",class:e,children:[u("thead",{role:"rowgroup",children:u("tr",{role:"row",children:t.map((r)=>u("th",{role:"columnheader",scope:"col",children:r}))})}),u("tbody",{role:"rowgroup",children:n.map(([r,...s])=>u("tr",{role:"row",children:[u("th",{role:"rowheader",scope:"row",children:r}),s.map((o)=>u("td",{role:"cell",children:o}))]}))})]})}function dn(e){let[t,n]=T({}),{message:r,state:s,bannedUntilSeconds:o,expiresAtMs:i,isReadOnly:a}=t,{windows:p,requests:d,refusals:c=[]}=t;return u(A,{children:[u("form",{class:"line send",onSubmit:async(f)=>{f.preventDefault();let _={Accept:"application/json",Authorization:`Bearer ${new FormData(f.currentTarget).get("key")}`},b=fetch(location.href,{headers:_}).then((h)=>h.json());n(await b.catch(()=>({message:"The service did not respond."})))},children:[u("input",{name:"key",type:"password",autocomplete:"off",required:!0,"aria-label":"API key"}),u("button",{type:"submit",children:"Show usage"})]}),u("p",{role:"status",children:[r,s&&`The key is ${a?"read-only and ":""}${s}.`,o&&` The ban ends on ${be(o*1000)}.`,i&&` It expires on ${be(i)}.`]}),p&&["minute","day"].map((f)=>{let{limit:l,remaining:_,resetAtSeconds:b}=p[f];return u("label",{class:"note",children:["This ",f,", ",ve(_)," of ",ve(l)," requests are left until"," ",be(b*1000),u("meter",{max:l,value:l-_})]},f)}),d&&u(A,{children:[u(pn,{name:"figures",columns:["Requests","Result","Today","30 days","By day"],rows:d.map(({operation:f,result:l,days:_})=>[f,l.replace(/[A-Z]/g," $&").toLowerCase(),ve(_.at(-1)),ve(_.reduce((b,h)=>b+h)),u(Ar,{days:_})])}),u("p",{children:["You ",d.some(({operation:f})=>f==="getPet")?"still":"do not"," call getPet, which is ",u("a",{href:`.${gt}#deprecations`,children:"deprecated"}),"."]}),u("h3",{children:"Last refusals"})]}),c.map(({atMs:f,code:l,operation:_,requestId:b})=>u("p",{class:"note",children:[u("a",{href:`.${ce}#${l}`,children:l})," ",_," ",be(f)," ",b]},b))]})}function Ar({days:e}){let t=Math.max(...e);return u("svg",{viewBox:"0 0 30 1",preserveAspectRatio:"none","aria-hidden":"true",children:u("path",{d:e.map((n,r)=>`M${r}.5 1v-${n/t}`).join("")})})}function be(e){return new Date(e).toLocaleString("en-GB",{timeZoneName:"short"})}function ve(e=0){return e.toLocaleString("en-US")}var Tr={"code-panel":Qt,"loop-panel":Zt,"search-box":un,"usage-view":dn};function fn(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=Tr[t];ot(u(r,{...JSON.parse(n)}),e)}}function _n(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:s,isIntersecting:o}of r){let i=t.get(s);if(i?.removeAttribute("aria-current"),i===void 0||!o)continue;i.setAttribute("aria-current","location"),kr(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let s=document.getElementById(r.hash.slice(1));if(s===null||r.pathname!==location.pathname)continue;t.set(s,r),n.observe(s)}}function kr(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function mn(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Rr=2000;fn();Nr();var je=document.getElementById("navigation");if(je!==null)_n(je),mn(je);function Nr(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await Ir(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},Rr)})}async function Ir(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
